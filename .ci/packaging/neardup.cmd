@rem Starts a command of Neardup from the folder above this one, with nothing of any other Python.
@"%~dp0..\python\python.exe" -I -B -m neardup_gui %*
