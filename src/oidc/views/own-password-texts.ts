/**
 * The words of the pages about a user's own password, in English and German. A missing translation does not compile.
 */
import { inLanguages } from '../../web/in-languages.ts'

const en = {
  ownPassword: 'Password and second factor',
  changePassword: 'Change the password',
  presentPassword: 'Present password',
  newPassword: 'New password',
  newPasswordHint: '8 to 1,024 characters. All other sign-ins end.',
  passwordIsWrong: 'The present password is wrong.',
  passwordChanged: 'The password is changed.',
  choosePassword: 'Choose a password',
  choosePasswordFor: (email: string) => `For ${email}.`,
  linkIsUseless:
    'This link was used, is too old, or was replaced by a newer one. Ask an administrator for another one.',
  passwordChosen: 'The password is set. You can sign in now.',
  secondFactor: 'Second factor',
  secondFactorOff: 'Signing in takes the password alone.',
  secondFactorOn: (left: number) => `Signing in takes a code besides the password. Recovery codes left: ${left}.`,
  secondFactorSetUp: 'Set up a second factor',
  secondFactorScan: 'Open this link on the device with your authenticator, or type the key into it:',
  secondFactorConfirm: 'Then enter the code that it shows',
  secondFactorConfirmButton: 'Switch it on',
  secondFactorRemove: 'Switch the second factor off',
  codeOrRecovery: 'Code, or a recovery code',
  codeLost: 'With neither, ask an administrator to remove it.',
  recoveryCodes: 'Recovery codes',
  recoveryCodesHint:
    'Each of them takes the place of a code once. They are shown this one time: keep them somewhere safe.',
}

export type OwnPasswordTexts = typeof en

const de: OwnPasswordTexts = {
  ownPassword: 'Passwort und zweiter Faktor',
  changePassword: 'Passwort ändern',
  presentPassword: 'Bisheriges Passwort',
  newPassword: 'Neues Passwort',
  newPasswordHint: '8 bis 1.024 Zeichen. Alle anderen Anmeldungen enden.',
  passwordIsWrong: 'Das bisherige Passwort ist falsch.',
  passwordChanged: 'Das Passwort ist geändert.',
  choosePassword: 'Passwort wählen',
  choosePasswordFor: (email) => `Für ${email}.`,
  linkIsUseless:
    'Dieser Link wurde schon benutzt, ist zu alt oder durch einen neueren ersetzt. Bitten Sie einen Administrator um einen anderen.',
  passwordChosen: 'Das Passwort ist gesetzt. Sie können sich jetzt anmelden.',
  secondFactor: 'Zweiter Faktor',
  secondFactorOff: 'Zum Anmelden genügt das Passwort.',
  secondFactorOn: (left) =>
    `Zum Anmelden braucht es außer dem Passwort einen Code. Übrige Wiederherstellungscodes: ${left}.`,
  secondFactorSetUp: 'Zweiten Faktor einrichten',
  secondFactorScan:
    'Öffnen Sie diesen Link auf dem Gerät mit Ihrem Authenticator, oder tippen Sie dort den Schlüssel ein:',
  secondFactorConfirm: 'Geben Sie dann den Code ein, den er zeigt',
  secondFactorConfirmButton: 'Einschalten',
  secondFactorRemove: 'Zweiten Faktor ausschalten',
  codeOrRecovery: 'Code oder ein Wiederherstellungscode',
  codeLost: 'Wer keines von beiden hat, bittet einen Administrator, ihn zu entfernen.',
  recoveryCodes: 'Wiederherstellungscodes',
  recoveryCodesHint:
    'Jeder ersetzt einmal einen Code. Sie werden nur dieses eine Mal gezeigt: Bewahren Sie sie sicher auf.',
}

export const ownPasswordTexts = inLanguages<OwnPasswordTexts>({ en, de })
