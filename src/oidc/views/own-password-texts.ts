import { inLanguages } from '../../web/words/in-languages.ts'

export const ownPasswordTexts = inLanguages({
  ownPassword: ['Account', 'Konto'],
  signedInAs: ['Signed in as', 'Angemeldet als'],
  display: ['Language and time', 'Sprache und Zeit'],
  displayKept: ['Your settings are saved.', 'Ihre Einstellungen sind gespeichert.'],
  ofBrowser: ['as the browser asks for', 'wie der Browser es wünscht'],
  timeZoneHint: [
    (account: string) => `Times on all pages are shown in it. Empty: the account’s, ${account}.`,
    (account: string) => `Alle Seiten zeigen Zeiten in dieser Zone. Leer: die des Kontos, ${account}.`,
  ],
  noSuchZone: [
    'There is no such time zone. Choose one from the list, such as Europe/Berlin.',
    'Diese Zeitzone gibt es nicht. Wählen Sie eine aus der Liste, zum Beispiel Europe/Berlin.',
  ],
  scanCode: ['QR code for your authenticator app', 'QR-Code für Ihre Authenticator-App'],
  changePassword: ['Change the password', 'Passwort ändern'],
  presentPassword: ['Current password', 'Bisheriges Passwort'],
  newPassword: ['New password', 'Neues Passwort'],
  newPasswordHint: [
    '8 to 1,024 characters. All other sign-ins end.',
    '8 bis 1.024 Zeichen. Alle anderen Anmeldungen enden.',
  ],
  passwordIsWrong: ['The current password is wrong.', 'Das bisherige Passwort ist falsch.'],
  passwordChanged: ['The password is changed.', 'Das Passwort ist geändert.'],
  choosePassword: ['Choose a password', 'Passwort wählen'],
  choosePasswordFor: [(email: string) => `For ${email}.`, (email: string) => `Für ${email}.`],
  linkIsUseless: [
    'This link was used, has expired, or was replaced by a newer one. Ask an administrator for another one.',
    'Dieser Link wurde schon verwendet, ist abgelaufen oder durch einen neueren ersetzt. Bitten Sie einen Administrator um einen neuen.',
  ],
  passwordChosen: [
    'The password is set. You can sign in now.',
    'Das Passwort ist gesetzt. Sie können sich jetzt anmelden.',
  ],
  secondFactor: ['Second factor', 'Zweiter Faktor'],
  secondFactorOff: ['Signing in takes only the password.', 'Zum Anmelden genügt das Passwort.'],
  secondFactorOn: [
    (left: number) => `Signing in takes the password and a code. Recovery codes left: ${left}.`,
    (left: number) => `Zum Anmelden ist außer dem Passwort ein Code nötig. Übrige Wiederherstellungscodes: ${left}.`,
  ],
  secondFactorSetUp: ['Set up a second factor', 'Zweiten Faktor einrichten'],
  secondFactorScan: [
    'Scan this code with your authenticator app, or type in the key there:',
    'Scannen Sie diesen Code mit Ihrer Authenticator-App, oder geben Sie dort den Schlüssel ein:',
  ],
  secondFactorConfirm: ['Then enter the code that it shows', 'Geben Sie dann den angezeigten Code ein'],
  secondFactorConfirmButton: ['Turn on', 'Einschalten'],
  secondFactorRemove: ['Turn off the second factor', 'Zweiten Faktor ausschalten'],
  codeOrRecovery: ['Code, or a recovery code', 'Code oder ein Wiederherstellungscode'],
  codeLost: [
    'If you have neither, ask an administrator to remove it.',
    'Wenn Sie beides nicht haben, bitten Sie einen Administrator, ihn zu entfernen.',
  ],
  recoveryCodes: ['Recovery codes', 'Wiederherstellungscodes'],
  recoveryCodesHint: [
    'Each replaces a code once. They are shown only once: keep them somewhere safe.',
    'Jeder ersetzt einmal einen Code. Sie werden nur einmal angezeigt: Bewahren Sie sie sicher auf.',
  ],
})
