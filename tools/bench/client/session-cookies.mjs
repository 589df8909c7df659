/** Returns the cookies of a signed-in person in the browser's format. */
export async function cookiesOf(fixture, url) {
  const cookies = await fixture.cookies();
  return cookies.split('; ').map((cookie) => {
    const at = cookie.indexOf('=');
    return { name: cookie.slice(0, at), value: cookie.slice(at + 1), url };
  });
}
