// Loaded before anything is painted: the choice of light or dark, if one was made.
(() => {
  const kept = localStorage.getItem("theme");
  if (kept === "light" || kept === "dark") document.documentElement.dataset.theme = kept;
})();
