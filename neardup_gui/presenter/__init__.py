"""What happens between the views and the jobs."""
