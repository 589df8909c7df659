// Sets the stored theme before the first paint, so that the other theme does not flash. theme.ts does the rest.
try {
  const theme = localStorage.getItem('homeport.theme');
  if (theme === 'dark' || theme === 'light') document.documentElement.dataset.theme = theme;
} catch {
  // Storage is blocked: the system theme applies.
}

/** Shows the load error that index.html contains. */
function showLoadError() {
  const alert = document.querySelector('.first-paint [role=alert]');
  alert?.removeAttribute('hidden');
  alert?.querySelector('button').addEventListener('click', () => location.reload());
}

// Loads the app's scripts after the first paint, which they would delay on a slow connection. The build moves the
// script elements into a template.
addEventListener('DOMContentLoaded', () => {
  const scripts = document.querySelector('template#scripts');
  const load = () => {
    const parts = document.importNode(scripts.content, true);
    // In order: each script depends on the one before it.
    for (const script of parts.querySelectorAll('script')) {
      script.async = false;
      script.addEventListener('error', showLoadError, { once: true });
    }
    document.body.append(parts);
  };
  // A hidden page gets no animation frames, so it loads the scripts immediately.
  if (scripts && document.hidden) load();
  else if (scripts) requestAnimationFrame(() => setTimeout(load));
});
