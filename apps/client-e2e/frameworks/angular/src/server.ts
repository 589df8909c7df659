import {
  AngularNodeAppEngine,
  createNodeRequestHandler,
  isMainModule,
  writeResponseToNodeResponse,
} from '@angular/ssr/node';
import express from 'express';

const app = express();
const angular = new AngularNodeAppEngine();
let release: () => void = () => undefined;

app.post('/greet', express.urlencoded({ extended: false }), (request, response) => {
  response.redirect(303, `/?name=${encodeURIComponent(request.body.name)}`);
});

app.get('/api/stream', async (request, response) => {
  if ('continue' in request.query) {
    response.send(String(release()));
    return;
  }
  response.type('text/plain').write('first\n');
  await new Promise<void>((resolve) => (release = resolve));
  response.end('last\n');
});

app.use(async (request, response, next) => {
  const page = await angular.handle(request);
  if (page) await writeResponseToNodeResponse(page, response);
  else next();
});

if (isMainModule(import.meta.url)) app.listen(process.env['PORT'] ?? 4000);

export const reqHandler = createNodeRequestHandler(app);
