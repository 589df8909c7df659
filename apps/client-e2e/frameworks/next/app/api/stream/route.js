export const dynamic = 'force-dynamic';

let release = () => undefined;

export function GET(request) {
  if (request.nextUrl.searchParams.has('continue')) return new Response(String(release()));
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
