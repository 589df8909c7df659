let release = () => undefined;

export default defineEventHandler((event) => {
  if ('continue' in getQuery(event)) return String(release());
  setResponseHeader(event, 'Content-Type', 'text/plain');
  const encoder = new TextEncoder();
  return new ReadableStream({
    async start(controller) {
      controller.enqueue(encoder.encode('first\n'));
      await new Promise((resolve) => (release = resolve));
      controller.enqueue(encoder.encode('last\n'));
      controller.close();
    },
  });
});
