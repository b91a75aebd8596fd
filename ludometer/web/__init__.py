"""The lab in the browser: pages and a JSON API over the same functions that Python and the command line use.

    guard       who may talk to it: Host and Origin, headers, sizes
    server      the application and its web server
    lab         what all pages share: folders, games in progress, agents, live messages
    pages       the list of pages; each has a template, JavaScript and perhaps a router of its own
    api/        the routers of the JSON API
    play/       games in progress, agents that think, boards, analyses and reviews
    jobs/       experiments and solving, in processes of low priority
    live        one WebSocket for each page: a snapshot, then changes
    catalogue   games, agents and levels as pages offer them
    untrusted   games and agents named by input from outside
    problems    errors as problem details (RFC 9457), or as a page for people

Needs the extra `web`; nothing here is imported before `ludometer serve` is called.
"""
