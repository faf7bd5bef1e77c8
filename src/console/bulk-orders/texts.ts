import type { BulkRowState } from '../../domain/bulk-orders/records.ts'
import { type Names, pageTexts } from '../kit/texts.ts'
import type { BulkKind } from './form.ts'

const kinds: Names<BulkKind> = {
  reset: ['Reset', 'Neu starten'],
  unlock: ['Unlock', 'Entriegeln'],
  availability: ['Availability', 'Verfügbarkeit'],
  trigger: ['Ask for a message', 'Meldung anfordern'],
  label: ['Label', 'Label setzen'],
  log: ['Ask for a log', 'Protokoll anfordern'],
  configuration: ['Configuration', 'Konfiguration'],
  firmware: ['Firmware', 'Firmware'],
}

const states: Names<BulkRowState> = {
  waiting: ['waits', 'wartet'],
  sent: ['under way', 'läuft'],
  done: ['done', 'erledigt'],
  failed: ['failed', 'fehlgeschlagen'],
  refused: ['left out', 'ausgelassen'],
  cancelled: ['cancelled', 'abgebrochen'],
}

const orderStates: Names<'running' | 'done' | 'cancelled'> = {
  running: ['in progress', 'in Arbeit'],
  done: ['done', 'erledigt'],
  cancelled: ['cancelled', 'abgebrochen'],
}

export const bulkTexts = pageTexts({
  kinds,
  states,
  orderStates,
  what: ['Order', 'Auftrag'],
  orders: ['Bulk orders', 'Sammelaufträge'],
  noOrders: ['There are no bulk orders yet.', 'Es gibt noch keine Sammelaufträge.'],
  toOrders: ['Go to the orders for what is ticked', 'Zu den Aufträgen für die Auswahl'],
  actOn: ['Order for the ticked charge points', 'Auftrag für die angekreuzten Ladestationen'],
  allMatching: ['All that match', 'Alle, die passen'],
  allOf: [(count: string) => `All ${count} that match`, (count: string) => `Alle ${count}, die passen`],
  resets: {
    soft: ['soft', 'sanft'],
    hard: ['hard', 'hart'],
  },
  tick: [(id: string) => `Tick ${id}`, (id: string) => `${id} ankreuzen`],
  title: [(what: string, of: string) => `${what}: ${of}`, (what: string, of: string) => `${what}: ${of}`],
  noUser: [
    'No charge point is ticked, or none matches. Go back and tick some.',
    'Es ist keine Ladestation angekreuzt, oder keine passt. Gehen Sie zurück und kreuzen Sie welche an.',
  ],
  toStations: ['Charge points', 'Ladestationen'],
  can: [
    (count: string) => `${count} will be ordered it.`,
    (count: string) => `${count} ${count === '1' ? 'bekommt' : 'bekommen'} den Auftrag.`,
  ],
  cannot: [
    (count: string) => `${count} cannot carry it out and are left out:`,
    (count: string) => `${count} können ihn nicht ausführen und werden ausgelassen:`,
  ],
  andMore: [(count: string) => `and ${count} more`, (count: string) => `und ${count} weitere`],
  preview: ['Count again', 'Neu zählen'],
  order: {
    reset: [(of: string) => `Reset ${of}`, (of: string) => `${of} neu starten`],
    unlock: [(of: string) => `Unlock ${of}`, (of: string) => `${of} entriegeln`],
    availability: [
      (of: string) => `Change the availability of ${of}`,
      (of: string) => `Verfügbarkeit von ${of} ändern`,
    ],
    trigger: [(of: string) => `Ask ${of} for the message`, (of: string) => `Meldung von ${of} anfordern`],
    label: [(of: string) => `Label ${of}`, (of: string) => `Label von ${of} setzen`],
    log: [(of: string) => `Ask ${of} for a log`, (of: string) => `Protokoll von ${of} anfordern`],
    configuration: [(of: string) => `Configure ${of}`, (of: string) => `${of} konfigurieren`],
    firmware: [(of: string) => `Update ${of}`, (of: string) => `Firmware auf ${of} bringen`],
  },
  stationsOf: [
    (count: string) => `${count} ${count === '1' ? 'charge point' : 'charge points'}`,
    (count: string) => `${count} ${count === '1' ? 'Ladestation' : 'Ladestationen'}`,
  ],
  resetType: ['How', 'Wie'],
  soft: ['soft: when nothing charges', 'sanft: wenn nichts lädt'],
  hard: ['hard: at once', 'hart: sofort'],
  available: ['Make it', 'Machen'],
  yes: ['available', 'verfügbar'],
  no: ['unavailable', 'nicht verfügbar'],
  connectorId: ['Connector', 'Anschluss'],
  evseId: ['EVSE', 'EVSE'],
  wholeStation: ['Empty: the whole charge point.', 'Leer: die ganze Ladestation.'],
  message: ['Message', 'Meldung'],
  labelKey: ['Label', 'Label'],
  labelValue: ['Value', 'Wert'],
  labelHint: ['Empty: the label is removed.', 'Leer: das Label wird entfernt.'],
  logType: ['Which log', 'Welches Protokoll'],
  diagnostics: ['diagnostics', 'Diagnose'],
  security: ['security', 'Sicherheit'],
  configuration: ['Configuration', 'Konfiguration'],
  configurationHint: [
    'The charge points are added to those that it names.',
    'Die Ladestationen kommen zu denen hinzu, die sie nennt.',
  ],
  image: ['Image', 'Firmware-Datei'],
  noneThere: ['There is none yet.', 'Es gibt noch keine.'],
  wait: ['Wait a day for those that are away', 'Einen Tag auf die warten, die offline sind'],
  of: [(part: string, total: string) => `${part} of ${total}`, (part: string, total: string) => `${part} von ${total}`],
  orderedBy: [(who: string) => `ordered by ${who}`, (who: string) => `von ${who}`],
  api: ['the API', 'der API'],
  application: ['an application', 'einer Anwendung'],
  result: ['Result', 'Ergebnis'],
  inWords: ['In words', 'In Worten'],
  backAfter: [
    (answer: string, span: string) => `${answer}, back after ${span}`,
    (answer: string, span: string) => `${answer}, nach ${span} zurück`,
  ],
  at: ['At', 'Um'],
  messageOfLog: ['Message', 'Nachricht'],
  again: [
    (count: string) => `Try the ${count} failed again…`,
    (count: string) => `Die ${count} fehlgeschlagenen noch einmal…`,
  ],
  noRows: ['None.', 'Keine.'],
  cancelRest: ['Cancel the rest', 'Den Rest abbrechen'],
  cancelAsk: [
    'What waits is not sent any more. What was sent cannot be called back.',
    'Was wartet, wird nicht mehr gesendet. Was gesendet ist, lässt sich nicht zurückholen.',
  ],
  progress: ['Progress', 'Fortschritt'],
  stations: ['Charge points', 'Ladestationen'],
})
