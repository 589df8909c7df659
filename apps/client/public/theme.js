// Before the first paint, so that nobody who chose a theme sees the other one flash. The rest is in theme.ts.
try {
  const theme = localStorage.getItem('homeport.theme');
  if (theme === 'dark' || theme === 'light') document.documentElement.dataset.theme = theme;
} catch {
  // Storage is closed: the system decides.
}
