import { type Names, pageTexts } from '../kit/texts.ts'

/** Why a connection was refused, as far as reasons have a name here; the detail says more, in English. */
const reasons: Names = {
  unknownStation: ['nobody registered this identity', 'niemand hat diese Kennung angelegt'],
  disabled: ['it is disabled', 'sie ist gesperrt'],
  noPassword: ['no password', 'kein Passwort'],
  wrongPassword: ['wrong password', 'falsches Passwort'],
  noCertificate: ['no client certificate', 'kein Client-Zertifikat'],
  certificateExpired: ['its certificate has expired', 'ihr Zertifikat ist abgelaufen'],
  certificateRefused: ['its certificate is not accepted', 'ihr Zertifikat wird nicht anerkannt'],
  notEncrypted: ['the connection is not encrypted', 'die Verbindung ist nicht verschlüsselt'],
  subprotocol: ['no version of OCPP in common', 'keine gemeinsame OCPP-Version'],
}

export const historyTexts = pageTexts({
  lately: ['What happened', 'Was passiert ist'],
  nothing: ['There is no history of its connections yet.', 'Es gibt noch keinen Verlauf der Verbindungen.'],
  connector: ['connector', 'Anschluss'],
  wholeStation: ['charge point', 'Ladestation'],
  closed: [(code: string) => `close code ${code}`, (code: string) => `Code ${code}`],
  reasons,
  moreRefusals: ['These are the newest; there are more.', 'Das sind die neuesten; es gibt weitere.'],
  unregistered: ['not registered', 'nicht registriert'],
})
