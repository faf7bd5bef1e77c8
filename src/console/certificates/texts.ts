/** The words of the certificates' pages, in English and German. A missing translation does not compile. */

import type { CertificateRequest, StationCertificate } from '../../domain/certificates/records.ts'
import type { ProfileJob, ProfileStep } from '../../domain/profile-jobs/records.ts'
import { type Names, pageTexts } from '../kit/texts.ts'

export const certificateTexts = pageTexts({
  certificates: ['Certificates', 'Zertifikate'],
  own: ['Its own certificates', 'Eigene Zertifikate'],
  noneOwn: ['It has no known certificate.', 'Es ist kein Zertifikat bekannt.'],
  installed: ['Installed root certificates, as reported', 'Installierte Wurzelzertifikate, wie gemeldet'],
  noneInstalled: ['It has reported none.', 'Es wurden keine gemeldet.'],
  ask: ['Ask it now', 'Jetzt abfragen'],
  renew: ['Ask for a new request', 'Neuen Antrag anfordern'],
  renewHint: [
    'It creates a key and a request; the certificate is signed and sent, or waits to be signed by hand.',
    'Die Ladestation erzeugt einen Schlüssel und einen Antrag; das Zertifikat wird signiert und gesendet oder wartet auf die Signatur von Hand.',
  ],
  subject: ['Subject', 'Inhaber'],
  issuer: ['Issuer', 'Aussteller'],
  serial: ['Serial number', 'Seriennummer'],
  valid: ['Valid', 'Gültig'],
  algorithm: ['Hash', 'Hash'],
  states: {
    issued: ['issued', 'ausgestellt'],
    inUse: ['in use', 'in Verwendung'],
    replaced: ['replaced', 'ersetzt'],
    revoked: ['revoked', 'widerrufen'],
  } satisfies Names<StationCertificate['state']>,
  revoke: ['Revoke', 'Widerrufen'],
  revokeAsk: ['Revoke this certificate?', 'Dieses Zertifikat widerrufen?'],
  revokeLead: [
    'From its next connection on, the charge point is refused with it. This cannot be undone.',
    'Ab ihrer nächsten Anmeldung wird die Ladestation damit abgewiesen. Das lässt sich nicht rückgängig machen.',
  ],
  deleteAsk: ['Delete this certificate from the charge point?', 'Dieses Zertifikat von der Ladestation löschen?'],
  deleteLead: [
    'The charge point no longer trusts it. The last root by which it recognizes this server stays.',
    'Die Ladestation vertraut ihm dann nicht mehr. Das letzte Wurzelzertifikat, an dem sie diesen Server erkennt, bleibt.',
  ],
  install: ['Install a root certificate', 'Ein Wurzelzertifikat installieren'],
  pem: ['Certificate (PEM)', 'Zertifikat (PEM)'],
  installButton: ['Install', 'Installieren'],
  requests: ['Requests', 'Anträge'],
  noRequests: ['No requests found.', 'Keine Anträge gefunden.'],
  requestStates: {
    pending: ['waits to be signed', 'wartet auf Signatur'],
    signed: ['signed', 'signiert'],
    rejected: ['rejected', 'abgelehnt'],
    failed: ['failed', 'fehlgeschlagen'],
  } satisfies Names<CertificateRequest['state']>,
  onlyPending: ['waiting', 'wartend'],
  commonName: ['Common name', 'Common Name'],
  csr: ['Request (CSR)', 'Antrag (CSR)'],
  download: ['Download the request', 'Antrag herunterladen'],
  chain: ['Chain (PEM)', 'Kette (PEM)'],
  chainHint: [
    'The certificate for the key of the request; its issuers may follow.',
    'Das Zertifikat für den Schlüssel des Antrags; seine Aussteller dürfen folgen.',
  ],
  sign: ['Send this chain', 'Diese Kette senden'],
  rejectReason: ['Reason for the rejection', 'Grund der Ablehnung'],
  reject: ['Reject', 'Ablehnen'],
  badReason: ['must have 1 to 500 characters', 'muss 1 bis 500 Zeichen haben'],
  authorities: ['Authorities', 'Zertifizierungsstellen'],
  noAuthorities: [
    'Certificates are not signed here (PILOTWIRE_CERTIFICATE_PROVIDER).',
    'Zertifikate werden hier nicht signiert (PILOTWIRE_CERTIFICATE_PROVIDER).',
  ],
  root: ['Root', 'Wurzelzertifikat'],
  list: ['Revocation list', 'Sperrliste'],
  present: [
    (profile: number) => `The charge point is registered with profile ${profile}.`,
    (profile: number) => `Die Ladestation ist mit Profil ${profile} registriert.`,
  ],
  raiseProfile: ['Raise the security profile', 'Sicherheitsprofil erhöhen'],
  raise: ['Raise it', 'Erhöhen'],
  raiseTo: ['To', 'Auf'],
  profiles: {
    '2': ['2: password over TLS', '2: Passwort über TLS'],
    '3': ['3: certificate over TLS', '3: Zertifikat über TLS'],
  },
  raiseHint: [
    'Step by step over OCPP, within a day. Profile 3 needs a certificate that the charge point already has.',
    'Schritt für Schritt über OCPP, innerhalb eines Tages. Für Profil 3 muss die Ladestation bereits ein Zertifikat haben.',
  ],
  badProfile: ['must be 2 or 3', 'muss 2 oder 3 sein'],
  jobStates: {
    running: ['running', 'läuft'],
    done: ['done', 'fertig'],
    failed: ['failed', 'fehlgeschlagen'],
    cancelled: ['canceled', 'abgebrochen'],
  } satisfies Names<ProfileJob['state']>,
  cancelJob: ['Cancel the change', 'Wechsel abbrechen'],
  steps: {
    installCertificate: ['root installed', 'Wurzelzertifikat installiert'],
    setNetworkProfile: ['network profile set', 'Netzwerkprofil gesetzt'],
    setSecurityProfile: ['profile set', 'Profil gesetzt'],
    setPriority: ['priority set', 'Priorität gesetzt'],
    reset: ['restarted when idle', 'neu gestartet, sobald frei'],
    seen: ['connected with the new profile', 'mit dem neuen Profil verbunden'],
  } satisfies Names<ProfileStep>,
  checks: ['Checks when it connects', 'Prüfungen bei der Anmeldung'],
  acceptExpired: [
    'Let it connect with an expired certificate, and ask for a new request at once',
    'Anmeldung mit abgelaufenem Zertifikat zulassen und sofort einen neuen Antrag anfordern',
  ],
  subjectCheck: ['Its common name', 'Ihr Common Name'],
  subjectChecks: {
    contains: ['contains the serial number', 'enthält die Seriennummer'],
    exact: ['is the serial number', 'ist die Seriennummer'],
    off: ['is not checked, nor is the organization', 'wird nicht geprüft, die Organisation auch nicht'],
  },
  expectedSerialNumber: ['Expected serial number', 'Erwartete Seriennummer'],
  expectedSerialHint: [
    'Until it has booted here. Empty: the common name must be its identity.',
    'Bis zum ersten Start hier. Leer: Der Common Name muss ihre Kennung sein.',
  ],
})
