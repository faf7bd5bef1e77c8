import { inLanguages } from '../../web/words/in-languages.ts'

const host = (text: (host: string) => string) => text

export const ssoTexts = inLanguages({
  signInWith: [host((name) => `Sign in with ${name}`), host((name) => `Mit ${name} anmelden`)],
  or: ['Or with a password:', 'Oder mit einem Passwort:'],
  breakGlass: ['Emergency sign-in with a password', 'Notfall-Anmeldung mit Passwort'],
  away: [
    host((name) => `${name} cannot be reached right now. Try again in a moment.`),
    host((name) => `${name} ist gerade nicht erreichbar. Versuchen Sie es gleich noch einmal.`),
  ],
  over: [
    host((name) => `This sign-in with ${name} took too long, or was begun in another browser or tab. Start again.`),
    host(
      (name) =>
        `Diese Anmeldung mit ${name} hat zu lange gedauert oder wurde in einem anderen Browser oder Tab begonnen. Bitte beginnen Sie von vorn.`,
    ),
  ],
  denied: [host((name) => `${name} did not sign you in.`), host((name) => `${name} hat Sie nicht angemeldet.`)],
  tooOld: [
    host(
      (name) =>
        `The application asks for a new sign-in, and ${name} does not confirm one. Try again; if it stays so, ask your administrator.`,
    ),
    host(
      (name) =>
        `Die Anwendung verlangt eine neue Anmeldung, und ${name} bestätigt keine. Versuchen Sie es noch einmal; bleibt es dabei, wenden Sie sich an Ihren Administrator.`,
    ),
  ],
  untrusted: [
    host((name) => `The answer of ${name} cannot be trusted. An administrator finds the reason in the server’s log.`),
    host(
      (name) =>
        `Der Antwort von ${name} ist nicht zu trauen. Ein Administrator findet den Grund im Protokoll des Servers.`,
    ),
  ],
  noRole: [
    host((name) => `${name} gives you no role here. Ask your administrator for one, then sign in again.`),
    host(
      (name) =>
        `${name} gibt Ihnen hier keine Rolle. Bitten Sie Ihren Administrator um eine und melden Sie sich dann erneut an.`,
    ),
  ],
  noEmail: [
    host((name) => `${name} told no e-mail address of yours. Ask your administrator to have it told.`),
    host(
      (name) =>
        `${name} hat keine E-Mail-Adresse von Ihnen genannt. Bitten Sie Ihren Administrator, dass sie mitgeteilt wird.`,
    ),
  ],
  taken: [
    host(
      (name) =>
        `There is a user with your e-mail address already, and ${name} does not prove that it is you. Ask your administrator.`,
    ),
    host(
      (name) =>
        `Es gibt schon einen Benutzer mit Ihrer E-Mail-Adresse, und ${name} weist nicht nach, dass Sie das sind. Wenden Sie sich an Ihren Administrator.`,
    ),
  ],
  disabled: [
    host(() => 'Your account is disabled. Ask your administrator.'),
    host(() => 'Ihr Benutzer ist deaktiviert. Wenden Sie sich an Ihren Administrator.'),
  ],
  lastAdministrator: [
    host(
      (name) =>
        `${name} makes you no administrator any more, but you are the last one here. Make another one first, with the command line if need be.`,
    ),
    host(
      (name) =>
        `Bei ${name} sind Sie kein Administrator mehr, hier aber der letzte. Machen Sie zuerst jemand anderen dazu, notfalls über die Kommandozeile.`,
    ),
  ],
})
