const escape = (text) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');

/** @param {string | null} name of the visitor, after the form is sent. */
export const page = (name) => `<!doctype html>
<html lang="en">
  <title>Node.js</title>
  <h1>Hello from Node.js</h1>
  <p>Rendered at <time>${new Date().toISOString()}</time></p>
  <button type="button">Clicked 0 times</button>
  <form method="post"><label>Name <input name="name" /></label> <button>Greet</button></form>
  ${name === null ? '' : `<p>Hello, ${escape(name)}!</p>`}
  <a href="/about">About</a>
  <script type="module" src="/counter.js"></script>
</html>`;

export const script = `
  let clicks = 0;
  const button = document.querySelector('button');
  button.addEventListener('click', () => (button.textContent = 'Clicked ' + ++clicks + ' times'));
`;
