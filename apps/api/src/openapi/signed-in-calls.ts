/** Of the browser: the interceptor runs there. */
declare const location: { readonly origin: string };

/** A request of Swagger UI, before it is sent. */
interface UiRequest {
  url: string;
  readonly headers: Record<string, string>;
}

/**
 * Options of Swagger UI that let a signed-in person try calls. Nest sends the function to the browser as text, so it can
 * use nothing outside itself.
 */
export const SIGNED_IN_CALLS = {
  tryItOutEnabled: true,
  displayRequestDuration: true,
  /** Adds the access token of the browser's session, and sends the slashes of a file's path as slashes. */
  requestInterceptor: async (request: UiRequest): Promise<UiRequest> => {
    const target = new URL(request.url, location.origin);
    if (target.origin !== location.origin || !target.pathname.startsWith('/api/')) return request;
    if (target.pathname.startsWith('/api/files/')) request.url = request.url.replaceAll('%2F', '/');
    // A token that was entered under "Authorize" is used instead.
    if (request.headers['Authorization']) return request;
    const session = await fetch('/auth/session');
    if (session.ok) {
      const { access_token } = (await session.json()) as { access_token: string };
      request.headers['Authorization'] = `Bearer ${access_token}`;
    }
    return request;
  },
} as const;
