/** The cookies of a person who is signed in, as a browser takes them. */
export async function cookiesOf(stage, url) {
  const cookies = await stage.cookies();
  return cookies.split('; ').map((cookie) => {
    const at = cookie.indexOf('=');
    return { name: cookie.slice(0, at), value: cookie.slice(at + 1), url };
  });
}
