export default defineEventHandler(async (event) => {
  const { name } = await readBody(event);
  return sendRedirect(event, `/?name=${encodeURIComponent(name)}`, 303);
});
