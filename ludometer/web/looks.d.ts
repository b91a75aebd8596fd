// The module /looks.js, which the server makes from view/boards/theme.py.

export const LOOKS: Record<string, Api.Look>;
