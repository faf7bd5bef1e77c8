/** The words of the firmware pages, in English and German. A missing translation does not compile. */

import type { CampaignAction } from '../../domain/firmware/campaign.ts'
import type { CampaignState, RowState } from '../../domain/firmware/records.ts'
import { type Names, pageTexts } from '../kit/texts.ts'

export const firmwareTexts = pageTexts({
  images: ['Images', 'Firmware-Dateien'],
  noImages: ['There are no images yet.', 'Es gibt noch keine Firmware-Dateien.'],
  models: ['Models', 'Modelle'],
  allModels: ['all', 'alle'],
  size: ['Size', 'Größe'],
  signature: ['Signature', 'Signatur'],
  signed: ['checked', 'geprüft'],
  unsigned: ['unsigned', 'unsigniert'],
  deleteImageAsk: [
    'The file is removed and would have to be uploaded again.',
    'Die Datei wird entfernt und müsste neu hochgeladen werden.',
  ],
  upload: ['Add an image', 'Firmware-Datei hinzufügen'],
  uploadButton: ['Upload', 'Hochladen'],
  uploading: ['Uploading', 'Wird hochgeladen'],
  uploadFailed: ['The upload was interrupted.', 'Das Hochladen wurde unterbrochen.'],
  versionHint: ['As charge points report it when they run it.', 'Wie Ladestationen sie melden, wenn sie damit laufen.'],
  modelsHint: ['Separated by commas; empty: every model.', 'Durch Kommas getrennt; leer: jedes Modell.'],
  certificate: ['Certificate (PEM)', 'Zertifikat (PEM)'],
  signatureField: ['Signature (Base64)', 'Signatur (Base64)'],
  signatureHint: [
    'Certificate and signature go together, and are checked. Without them the image is sent unsigned.',
    'Zertifikat und Signatur gehören zusammen und werden geprüft. Ohne sie wird die Datei unsigniert gesendet.',
  ],
  sha256Hint: ['Hexadecimal; empty: not compared.', 'Hexadezimal; leer: kein Vergleich.'],
  campaigns: ['Campaigns', 'Kampagnen'],
  noCampaigns: ['There are no campaigns yet.', 'Es gibt noch keine Kampagnen.'],
  campaign: ['Campaign', 'Kampagne'],
  makeCampaign: ['New campaign', 'Neue Kampagne'],
  makeHint: ['It stays a draft until you start it.', 'Sie bleibt ein Entwurf, bis Sie sie starten.'],
  image: ['Image', 'Firmware-Datei'],
  noImage: ['none: another address', 'keine: andere Adresse'],
  location: ['Another address', 'Andere Adresse'],
  locationHint: [
    'Instead of an image: sent to the charge points unchanged, together with the version.',
    'Statt einer Firmware-Datei: wird den Ladestationen unverändert gesendet, zusammen mit der Version.',
  ],
  target: ['What it installs', 'Was installiert wird'],
  waves: ['Waves', 'Wellen'],
  wavesHint: [
    'One per line: a number such as 5, or a share such as 5%, counted from the first charge point.',
    'Eine pro Zeile: eine Zahl wie 5 oder ein Anteil wie 5%, gezählt ab der ersten Ladestation.',
  ],
  maxFailureRate: [
    'Share of a wave that may fail, in percent',
    'Anteil einer Welle, der fehlschlagen darf, in Prozent',
  ],
  soakMinutes: ['Minutes between two waves', 'Minuten zwischen zwei Wellen'],
  silenceMinutes: [
    'Minutes of silence until a charge point counts as failed',
    'Minuten ohne Meldung, bis eine Ladestation als fehlgeschlagen gilt',
  ],
  onlyIdle: ['Only while nothing is charging', 'Nur, wenn nichts lädt'],
  retryOffline: ['Wait for offline charge points', 'Auf Ladestationen warten, die offline sind'],
  preview: ['Preview of the waves', 'Vorschau der Wellen'],
  previewButton: ['Preview', 'Vorschau'],
  wave: ['Wave', 'Welle'],
  reaches: ['Charge points', 'Ladestationen'],
  onlineOf: ['online now', 'jetzt online'],
  outside: [(count: number) => `${count} are in no wave`, (count: number) => `${count} sind in keiner Welle`],
  otherModels: [
    (count: number) => `${count} are of other models`,
    (count: number) => `${count} haben ein anderes Modell`,
  ],
  save: ['Save the draft', 'Entwurf speichern'],
  status: ['Reported', 'Gemeldet'],
  progress: ['Progress', 'Fortschritt'],
  failureRate: ['Failed', 'Gescheitert'],
  allowed: [(percent: number) => `${percent} % allowed`, (percent: number) => `${percent} % erlaubt`],
  soaks: [
    (until: string) => `The next wave starts at ${until} if all goes well.`,
    (until: string) => `Die nächste Welle beginnt um ${until}, wenn alles gut geht.`,
  ],
  noRows: ['No charge points found.', 'Keine Ladestationen gefunden.'],
  badState: ['There is no such state.', 'Diesen Status gibt es nicht.'],
  whichStations: ['Charge points', 'Ladestationen'],
  actions: {
    start: ['Start', 'Starten'],
    pause: ['Pause', 'Anhalten'],
    resume: ['Resume', 'Fortsetzen'],
    cancel: ['End', 'Beenden'],
  } satisfies Names<CampaignAction>,
  cancelHint: [
    'What a charge point has already accepted cannot be recalled.',
    'Was eine Ladestation bereits angenommen hat, lässt sich nicht zurückrufen.',
  ],
  wrongState: [
    (state: string) => `That is not possible while the campaign is ${state}.`,
    (state: string) => `Das ist im Status „${state}“ nicht möglich.`,
  ],
  states: {
    draft: ['draft', 'Entwurf'],
    running: ['running', 'läuft'],
    paused: ['paused', 'angehalten'],
    stopped: ['stopped automatically', 'automatisch angehalten'],
    cancelled: ['ended', 'beendet'],
    done: ['done', 'fertig'],
  } satisfies Names<CampaignState>,
  rowStates: {
    planned: ['planned', 'geplant'],
    waiting: ['waiting', 'wartet'],
    running: ['running', 'läuft'],
    succeeded: ['succeeded', 'erfolgreich'],
    failed: ['failed', 'fehlgeschlagen'],
    rejected: ['rejected', 'abgelehnt'],
    skipped: ['skipped', 'übersprungen'],
    cancelled: ['canceled', 'abgebrochen'],
    notRecallable: ['cannot be recalled', 'nicht rückrufbar'],
  } satisfies Names<RowState>,
})

export type FirmwareTexts = ReturnType<typeof firmwareTexts>
