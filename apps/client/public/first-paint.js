// The chosen theme before the first paint, so that nobody sees the other one flash. The rest is in theme.ts.
try {
  const theme = localStorage.getItem('homeport.theme');
  if (theme === 'dark' || theme === 'light') document.documentElement.dataset.theme = theme;
} catch {
  // Storage is closed: the system decides.
}

/** Says that the app did not come, in the place where it would be. */
function sayMissing() {
  const alert = document.querySelector('.first-paint [role=alert]');
  alert?.removeAttribute('hidden');
  alert?.querySelector('button').addEventListener('click', () => location.reload());
}

// And the app's scripts after it: on a slow line they would hold it up. The build puts them into a template.
addEventListener('DOMContentLoaded', () => {
  const scripts = document.querySelector('template#scripts');
  const load = () => {
    const parts = document.importNode(scripts.content, true);
    // One after the other: the app does not start without what the script before it brings.
    for (const script of parts.querySelectorAll('script')) {
      script.async = false;
      script.addEventListener('error', sayMissing, { once: true });
    }
    document.body.append(parts);
  };
  // A page in the background is not painted before somebody looks at it.
  if (scripts && document.hidden) load();
  else if (scripts) requestAnimationFrame(() => setTimeout(load));
});
