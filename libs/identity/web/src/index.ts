export { identityRoutes } from './routes';
export { AuthSession } from './session/auth-session';
export { bearerInterceptor } from './session/bearer-interceptor';
export { SessionBanner } from './session/session-banner';
export type { SessionState } from './session/session-keeper';
export { signedIn } from './session/signed-in';
