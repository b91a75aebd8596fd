"""The lab in the browser: pages and a JSON API over the same functions that Python and the command line use.

    guard       who may talk to it: Host and Origin, headers, sizes
    server      the application put together, and its web server
    lab         what all pages share: folders, games in progress, thinking, live messages
    pages       the list of pages; each has a template, a module of JavaScript and perhaps a router of its own
    tables      games in progress, each with a file of its own (`table` is one of them)
    thinking    agents that think in threads and can be stopped
    analysis    values that grow while a page looks at them, and reviews of games
    boards      a drawing as JSON
    catalogue   games, agents and levels as the pages offer them
    live        one WebSocket for each page: a snapshot, then what changes
    problems    errors as problem details (RFC 9457), or as a page for people

Needs the extra `web`; nothing here is imported before `ludometer serve` is called.
"""
