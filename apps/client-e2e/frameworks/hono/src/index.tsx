import { serve } from '@hono/node-server';
import { serveStatic } from '@hono/node-server/serve-static';
import { Hono } from 'hono';
import { streamText } from 'hono/streaming';

const Page = ({ name }: { name?: string | undefined }) => (
  <html lang="en">
    <head>
      <title>Hono</title>
      <script type="module" src="/public/counter.js"></script>
    </head>
    <body>
      <h1>Hello from Hono</h1>
      <p>
        Rendered at <time>{new Date().toISOString()}</time>
      </p>
      <button type="button">Clicked 0 times</button>
      <form method="post">
        <label>
          Name <input name="name" />
        </label>
        <button>Greet</button>
      </form>
      {name && <p>{`Hello, ${name}!`}</p>}
      <a href="/about">About</a>
    </body>
  </html>
);

let release: () => void = () => undefined;

const app = new Hono()
  .use('/public/*', serveStatic({ root: './' }))
  .get('/', (context) => context.html(<Page />))
  .post('/', async (context) => context.html(<Page name={String((await context.req.formData()).get('name'))} />))
  .get('/about', (context) => context.html(<h1>About</h1>))
  .get('/api/stream', (context) => {
    if (context.req.query('continue') !== undefined) return context.text(String(release()));
    return streamText(context, async (stream) => {
      await stream.writeln('first');
      await new Promise<void>((resolve) => (release = resolve));
      await stream.writeln('last');
    });
  });

serve({ fetch: app.fetch, port: Number(process.env['PORT'] ?? 3000) });
