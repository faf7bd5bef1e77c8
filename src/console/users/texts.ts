import type { Role } from '../../domain/ports/storage.ts'
import type { AuditOutcome } from '../../domain/ports/storage-oidc.ts'
import { type Names, pageTexts } from '../kit/texts.ts'

export const userTexts = pageTexts({
  credential: ['credential', 'Schlüssel'],
  newUser: ['New user', 'Neuer Benutzer'],
  user: ['User', 'Benutzer'],
  role: ['Role', 'Rolle'],
  roles: {
    administrator: ['administrator: everything', 'Administrator: alles'],
    operator: [
      'operator: controls charge points, sessions and cards',
      'Betreiber: steuert Ladestationen, Ladevorgänge und Karten',
    ],
    viewer: ['viewer: sees everything, changes nothing', 'Betrachter: sieht alles, ändert nichts'],
    member: ['member: signs in to applications only', 'Mitglied: meldet sich nur bei Anwendungen an'],
  } satisfies Names<Role>,
  invite: ['Create and show the link', 'Anlegen und Link anzeigen'],
  linkFor: [
    (email: string) => `Send this link to ${email}. It works once, is valid for a week, and is shown only now:`,
    (email: string) =>
      `Senden Sie diesen Link an ${email}. Er funktioniert einmal, gilt eine Woche und wird nur jetzt angezeigt:`,
  ],
  newLink: ['New password by link', 'Neues Passwort per Link'],
  noPassword: ['has not chosen a password yet', 'hat noch kein Passwort gewählt'],
  resetSecondFactor: ['Remove the second factor', 'Zweiten Faktor entfernen'],
  withSecondFactor: ['with a second factor', 'mit zweitem Faktor'],
  status: ['Status', 'Status'],
  disabled: ['disabled', 'deaktiviert'],
  signedIn: ['Signed in', 'Angemeldet'],
  endSignIn: ['End', 'Beenden'],
  noSignIns: ['Not signed in anywhere.', 'Nirgends angemeldet.'],
  noEntries: ['No entries found.', 'Keine Einträge gefunden.'],
  actor: ['Who', 'Wer'],
  action: ['What', 'Was'],
  subject: ['Object', 'Objekt'],
  address: ['Address', 'Adresse'],
  outcome: ['Result', 'Ergebnis'],
  outcomes: {
    done: ['done', 'ausgeführt'],
    refused: ['refused', 'abgelehnt'],
    forbidden: ['forbidden', 'nicht erlaubt'],
    failed: ['failed', 'fehlgeschlagen'],
    ordered: ['ordered, in progress', 'beauftragt, läuft'],
    unknown: ['unknown: the server stopped before it ended', 'unbekannt: der Server wurde vorher beendet'],
  } satisfies Names<AuditOutcome>,
  disableUserAsk: [
    'The user is signed out everywhere at once, and applications lose their access. Once enabled again, the user signs in as before.',
    'Der Benutzer wird überall sofort abgemeldet, und Anwendungen verlieren den Zugriff. Nach dem Aktivieren muss er sich neu anmelden.',
  ],
  resetSecondFactorAsk: [
    'The password alone is then enough to sign in, until the user adds a new second factor.',
    'Zur Anmeldung genügt dann das Passwort, bis der Benutzer wieder einen zweiten Faktor einrichtet.',
  ],
  disableOf: [(user: string) => `Disable ${user}`, (user: string) => `${user} deaktivieren`],
  resetSecondFactorOf: [
    (user: string) => `Remove the second factor of ${user}`,
    (user: string) => `Zweiten Faktor von ${user} entfernen`,
  ],
  endSignInsOf: [(user: string) => `Sign ${user} out everywhere`, (user: string) => `${user} überall abmelden`],
  endSignInsAsk: ['The user is signed out everywhere at once.', 'Der Benutzer wird überall sofort abgemeldet.'],
})
