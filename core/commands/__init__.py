"""The commands of the command line, one small module each.

    add_options(parser)   describes the command and adds its options; imports nothing heavy
    run(options)          does the work and returns the exit status; imports what it needs

`neardup --help` has to answer at once, so nothing that loads numpy or numba is imported outside of
functions here. `core.commands.main` holds the table of commands; options that several share are in
`options`.
"""
