"""Tables on disk: formats, folders with manifests, packing, locks."""
