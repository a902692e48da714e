"""What the large curve and the lists around it show."""
