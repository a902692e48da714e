"""The guided tour: what is moved in it, what it says, and what it shows."""
