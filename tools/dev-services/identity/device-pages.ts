import { html, Html } from './html.ts';
import { page } from './pages.ts';

/** @param form the library's form with a field for the code. @param isWrong whether the entered code is not valid. */
export function deviceCodePage(form: string, isWrong: boolean): string {
  return page('device-code', {
    title: 'Sign in a device',
    content: html` <h1>Sign in a device</h1>
      <p>
        ${isWrong ? 'This code is wrong, expired or used. Enter another one.' : 'Enter the code that the device shows.'}
      </p>
      ${new Html(accessible(form))}
      <div class="actions"><button class="primary" form="op.deviceInputForm">Continue</button></div>`,
  });
}

/** The library's field has no label, and a script that the Content-Security-Policy blocks. */
function accessible(form: string): string {
  return form.replace(/ onfocus="[^"]*"/, ' aria-label="Code"');
}

/** @param form the library's form with the secret that proves that the request came from this page. */
export function deviceConfirmPage(form: string, code: string): string {
  return page('device-confirm', {
    title: 'Sign in a device',
    content: html` <h1>Sign in a device?</h1>
      <p>Continue only if your device shows the code <strong>${code}</strong>.</p>
      ${new Html(form)}
      <div class="actions">
        <button class="primary" form="op.deviceConfirmForm">Continue</button>
        <button class="quiet" form="op.deviceConfirmForm" name="abort" value="yes">Cancel</button>
      </div>`,
  });
}

export function deviceDonePage(): string {
  return page('device-done', {
    title: 'Device signed in',
    content: html` <h1>Your device is signed in</h1>
      <p>You can close this page.</p>`,
  });
}

export function deviceCancelledPage(): string {
  return page('device-done', {
    title: 'Sign-in cancelled',
    content: html` <h1>The sign-in was cancelled</h1>
      <p>You can close this page.</p>`,
  });
}
