/** What the fields of a command mean where the official schema is silent: all of OCPP 1.6, some lists of 2.0.1. */
import type { Language } from '../../web/texts.ts'

type Description = Readonly<Record<Language, string>>

const said = (en: string, de: string): Description => ({ en, de })

/** Keys: `Command/field`, with the groups of the field. */
const OF_COMMANDS: Readonly<Record<string, Description>> = {
  'ChangeAvailability/connectorId': said('0 is the whole charge point.', '0 ist die ganze Ladestation.'),
  'ChangeAvailability/type': said(
    'Inoperative takes it out of service, after a running charge; Operative puts it back.',
    'Inoperative nimmt außer Betrieb, nach einem laufenden Ladevorgang; Operative wieder in Betrieb.',
  ),
  'ChangeConfiguration/key': said('Name of the setting.', 'Name der Einstellung.'),
  'ChangeConfiguration/value': said('Its new value, as text.', 'Ihr neuer Wert, als Text.'),
  'GetConfiguration/key': said(
    'Names of the settings to read; empty: all of them.',
    'Namen der Einstellungen; leer: alle.',
  ),
  'RemoteStartTransaction/connectorId': said(
    'Where to charge; empty: the charge point chooses.',
    'Wo geladen wird; leer: die Ladestation wählt.',
  ),
  'RemoteStartTransaction/idTag': said('The card to charge for.', 'Die Karte, für die geladen wird.'),
  'RemoteStartTransaction/chargingProfile': said(
    'Limits for this charge; its purpose must be TxProfile.',
    'Grenzen für diesen Ladevorgang; der Zweck muss TxProfile sein.',
  ),
  'RemoteStopTransaction/transactionId': said(
    'Number of the transaction to end.',
    'Nummer der Transaktion, die endet.',
  ),
  'Reset/type': said(
    'Soft ends charges in order and restarts; Hard restarts at once.',
    'Soft beendet Ladevorgänge ordentlich und startet neu; Hard startet sofort neu.',
  ),
  'UnlockConnector/connectorId': said('Whose cable is let go, from 1.', 'Dessen Kabel freigegeben wird, ab 1.'),
  'DataTransfer/vendorId': said('Whose message it is.', 'Wessen Nachricht es ist.'),
  'DataTransfer/messageId': said('Which of the vendor’s messages.', 'Welche Nachricht des Herstellers.'),
  'DataTransfer/data': said(
    'What it says; its form is the vendor’s.',
    'Was sie sagt; die Form bestimmt der Hersteller.',
  ),
  'GetDiagnostics/location': said('Folder to upload the file to.', 'Ordner, in den die Datei geladen wird.'),
  'GetDiagnostics/startTime': said('What is older is left out.', 'Älteres wird weggelassen.'),
  'GetDiagnostics/stopTime': said('What is newer is left out.', 'Neueres wird weggelassen.'),
  'UpdateFirmware/location': said('Where the file can be downloaded.', 'Wo die Datei zu laden ist.'),
  'UpdateFirmware/retrieveDate': said('Not downloaded before then.', 'Nicht früher wird geladen.'),
  'SendLocalList/listVersion': said(
    'Number of the list; each change has a greater one.',
    'Nummer der Liste; jede Änderung hat eine größere.',
  ),
  'SendLocalList/localAuthorizationList': said(
    'Cards with what holds for each; without idTagInfo a Differential removes the card.',
    'Karten mit dem, was für jede gilt; ohne idTagInfo entfernt Differential die Karte.',
  ),
  'SendLocalList/updateType': said(
    'Full replaces the list, Differential changes it.',
    'Full ersetzt die Liste, Differential ändert sie.',
  ),
  'ReserveNow/connectorId': said('0: any connector.', '0: irgendein Anschluss.'),
  'ReserveNow/expiryDate': said('The reservation ends then.', 'Dann endet die Reservierung.'),
  'ReserveNow/idTag': said('The card that it is for.', 'Die Karte, für die sie gilt.'),
  'ReserveNow/reservationId': said(
    'Number of your choice; one that exists is replaced.',
    'Nummer Ihrer Wahl; eine vorhandene wird ersetzt.',
  ),
  'CancelReservation/reservationId': said('Number of the reservation.', 'Nummer der Reservierung.'),
  'SetChargingProfile/connectorId': said(
    '0 is the whole charge point, or all connectors for TxDefaultProfile.',
    '0 ist die ganze Ladestation, bei TxDefaultProfile jeder Anschluss.',
  ),
  'SetChargingProfile/csChargingProfiles': said('The limits to obey.', 'Die Grenzen, die gelten sollen.'),
  'ClearChargingProfile/id': said(
    'One profile; empty: all that match the rest.',
    'Ein Profil; leer: alle, auf die der Rest passt.',
  ),
  'ClearChargingProfile/connectorId': said('Only those of this connector.', 'Nur die dieses Anschlusses.'),
  'GetCompositeSchedule/connectorId': said('0 is the grid connection.', '0 ist der Netzanschluss.'),
  'GetCompositeSchedule/duration': said('Seconds from now to tell of.', 'Sekunden ab jetzt, über die berichtet wird.'),
  'GetCompositeSchedule/chargingRateUnit': said('Watts or amperes.', 'Watt oder Ampere.'),
  'TriggerMessage/requestedMessage': said(
    'The message that it is to send now.',
    'Die Nachricht, die sie jetzt senden soll.',
  ),
  'TriggerMessage/connectorId': said('Whose message; empty: each.', 'Wessen Nachricht; leer: von jedem.'),
  'GetLog/log': said('Where to, and of which time.', 'Wohin, und aus welcher Zeit.'),
  'GetLog/log/remoteLocation': said('Folder to upload the log to.', 'Ordner, in den das Protokoll geladen wird.'),
  'GetLog/log/oldestTimestamp': said('What is older is left out.', 'Älteres wird weggelassen.'),
  'GetLog/log/latestTimestamp': said('What is newer is left out.', 'Neueres wird weggelassen.'),
  'GetLog/logType': said('Which of its logs.', 'Welches ihrer Protokolle.'),
  'GetLog/requestId': said('Number that its reports name.', 'Nummer, die ihre Meldungen nennen.'),
  'ExtendedTriggerMessage/requestedMessage': said(
    'The message that it is to send now.',
    'Die Nachricht, die sie jetzt senden soll.',
  ),
  'ExtendedTriggerMessage/connectorId': said('Whose message; empty: each.', 'Wessen Nachricht; leer: von jedem.'),
  'InstallCertificate/certificateType': said(
    'Whom it lets the charge point trust: this server, or who makes its firmware.',
    'Wem die Ladestation damit traut: diesem Server oder dem Hersteller der Firmware.',
  ),
  'InstallCertificate/certificate': said('One certificate, PEM.', 'Ein Zertifikat, PEM.'),
  'DeleteCertificate/certificateHashData': said(
    'Which one, as GetInstalledCertificateIds names it.',
    'Welches, wie GetInstalledCertificateIds es nennt.',
  ),
  'GetInstalledCertificateIds/certificateType': said('Which kind to list.', 'Welche Art aufgezählt wird.'),
  'CertificateSigned/certificateChain': said(
    'Its new certificate and those that signed it, PEM.',
    'Ihr neues Zertifikat und die, die es unterschrieben, PEM.',
  ),
  'SignedUpdateFirmware/requestId': said('Number that its reports name.', 'Nummer, die ihre Meldungen nennen.'),
  'SignedUpdateFirmware/firmware': said('The file, and who vouches for it.', 'Die Datei, und wer für sie bürgt.'),
  'CustomerInformation/customerCertificate': said(
    'Whom it is about, by certificate.',
    'Um wen es geht, nach Zertifikat.',
  ),
}

const BY_NAME: Readonly<Record<string, Description>> = {
  retries: said('How often it is tried again.', 'Wie oft es noch einmal versucht wird.'),
  retryInterval: said('Seconds between two tries.', 'Sekunden zwischen zwei Versuchen.'),
  parentIdTag: said(
    'Group of the card: all its cards may use it.',
    'Gruppe der Karte: alle ihre Karten dürfen es nutzen.',
  ),
  chargingProfileId: said(
    'Number of your choice; one that exists is replaced.',
    'Nummer Ihrer Wahl; eine vorhandene wird ersetzt.',
  ),
  transactionId: said('Only for a TxProfile: whose it is.', 'Nur bei TxProfile: zu welcher Transaktion.'),
  stackLevel: said('Of several, the highest counts; from 0.', 'Von mehreren gilt der höchste; ab 0.'),
  chargingProfilePurpose: said(
    'Of the whole charge point, of every charge, or of one.',
    'Für die ganze Ladestation, für jeden Ladevorgang oder für einen.',
  ),
  chargingProfileKind: said(
    'Absolute begins at a time, Recurring comes again, Relative begins with the charge.',
    'Absolute beginnt zu einer Zeit, Recurring kehrt wieder, Relative beginnt mit dem Ladevorgang.',
  ),
  recurrencyKind: said('Only for Recurring: every day or every week.', 'Nur bei Recurring: täglich oder wöchentlich.'),
  validFrom: said('It holds from then on; empty: at once.', 'Gilt von da an; leer: sofort.'),
  validTo: said('It holds until then; empty: until it is replaced.', 'Gilt bis dahin; leer: bis es ersetzt wird.'),
  chargingSchedule: said('The limits in the course of time.', 'Die Grenzen im Lauf der Zeit.'),
  duration: said(
    'Seconds that it lasts; empty: the last limit goes on.',
    'Sekunden, die er dauert; leer: die letzte Grenze gilt weiter.',
  ),
  startSchedule: said('When it begins, for Absolute and Recurring.', 'Wann er beginnt, bei Absolute und Recurring.'),
  chargingRateUnit: said(
    'What limits are in: watts or amperes a phase.',
    'Worin Grenzen stehen: Watt oder Ampere je Phase.',
  ),
  chargingSchedulePeriod: said(
    'Limits, each from so many seconds after the begin on; the first from 0.',
    'Grenzen, jede von so vielen Sekunden nach dem Beginn an; die erste von 0.',
  ),
  minChargingRate: said('Less than that does not help the car.', 'Weniger nützt dem Auto nichts.'),
  hashAlgorithm: said('How the digests are made.', 'Wie die Prüfsummen gebildet sind.'),
  issuerNameHash: said('Digest of the issuer’s name, hex.', 'Prüfsumme des Namens des Ausstellers, hexadezimal.'),
  issuerKeyHash: said('Digest of the issuer’s key, hex.', 'Prüfsumme des Schlüssels des Ausstellers, hexadezimal.'),
  serialNumber: said('Number of the certificate, hex.', 'Nummer des Zertifikats, hexadezimal.'),
  location: said('Where the file can be downloaded.', 'Wo die Datei zu laden ist.'),
  retrieveDateTime: said('Not downloaded before then.', 'Nicht früher wird geladen.'),
  installDateTime: said('Not installed before then; empty: at once.', 'Nicht früher wird installiert; leer: sofort.'),
  signingCertificate: said('Of the maker, PEM.', 'Des Herstellers, PEM.'),
  signature: said('Of the file, Base64.', 'Der Datei, Base64.'),
  getVariableData: said(
    'Component and variable of each value to read.',
    'Komponente und Variable jedes Werts, der gelesen wird.',
  ),
  setVariableData: said('Component, variable and new value of each.', 'Komponente, Variable und neuer Wert.'),
  componentVariable: said('Only these components and variables.', 'Nur diese Komponenten und Variablen.'),
  additionalInfo: said('More about the card, as the operator agreed it.', 'Weiteres zur Karte, wie vereinbart.'),
  localAuthorizationList: said('Cards with what holds for each.', 'Karten mit dem, was für jede gilt.'),
  certificateHashData: said('Which certificate.', 'Welches Zertifikat.'),
  setMonitoringData: said('What is watched, and when it is told.', 'Was überwacht wird, und wann es gemeldet wird.'),
}

export function descriptionOf(method: string, pointer: string, language: Language): string | undefined {
  const name = pointer.split('/').at(-1) ?? ''
  const found = Object.hasOwn(OF_COMMANDS, method + pointer) ? OF_COMMANDS[method + pointer] : undefined
  return (found ?? (Object.hasOwn(BY_NAME, name) ? BY_NAME[name] : undefined))?.[language]
}
