// A server without a framework and without packages.
import { createServer } from 'node:http';
import { page, script } from './page.js';

let release = () => undefined;

async function formOf(request) {
  let text = '';
  for await (const chunk of request.setEncoding('utf8')) text += chunk;
  return new URLSearchParams(text);
}

async function answer(request, response) {
  const url = new URL(request.url, 'http://localhost');
  const html = (body) => response.setHeader('Content-Type', 'text/html; charset=utf-8').end(body);
  if (request.method === 'POST' && url.pathname === '/') return html(page((await formOf(request)).get('name')));
  if (url.pathname === '/') return html(page(null));
  if (url.pathname === '/about') return html('<!doctype html><title>About</title><h1>About</h1>');
  if (url.pathname === '/counter.js') return response.setHeader('Content-Type', 'text/javascript').end(script);
  if (url.pathname === '/api/stream') {
    if (url.searchParams.has('continue')) return response.end(String(release()));
    response.setHeader('Content-Type', 'text/plain');
    response.write('first\n');
    await new Promise((resolve) => (release = resolve));
    return response.end('last\n');
  }
  response.statusCode = 404;
  return response.end('Not found');
}

createServer(answer).listen(process.env.PORT ?? 3000);
