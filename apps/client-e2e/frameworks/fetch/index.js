// A server as a function from Request to Response. Homeport listens for it.
const escape = (text) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');

const page = (name) => `<!doctype html>
<html lang="en">
  <title>Fetch handler</title>
  <h1>Hello from a fetch handler</h1>
  <p>Rendered at <time>${new Date().toISOString()}</time></p>
  <button type="button">Clicked 0 times</button>
  <form method="post"><label>Name <input name="name" /></label> <button>Greet</button></form>
  ${name === null ? '' : `<p>Hello, ${escape(name)}!</p>`}
  <a href="/about">About</a>
  <script type="module">
    let clicks = 0;
    const button = document.querySelector('button');
    button.addEventListener('click', () => (button.textContent = 'Clicked ' + ++clicks + ' times'));
  </script>
</html>`;

let release = () => undefined;

function stream() {
  const encoder = new TextEncoder();
  const body = new ReadableStream({
    async start(controller) {
      controller.enqueue(encoder.encode('first\n'));
      await new Promise((resolve) => (release = resolve));
      controller.enqueue(encoder.encode('last\n'));
      controller.close();
    },
  });
  return new Response(body, { headers: { 'Content-Type': 'text/plain' } });
}

const html = (body) => new Response(body, { headers: { 'Content-Type': 'text/html; charset=utf-8' } });

export default {
  async fetch(request) {
    const url = new URL(request.url);
    if (url.pathname === '/')
      return html(page(request.method === 'POST' ? (await request.formData()).get('name') : null));
    if (url.pathname === '/about') return html('<!doctype html><title>About</title><h1>About</h1>');
    if (url.pathname === '/api/stream')
      return url.searchParams.has('continue') ? new Response(String(release())) : stream();
    return new Response('Not found', { status: 404 });
  },
};
