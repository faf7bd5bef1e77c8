import type { MonitorType } from '../../domain/monitors/records.ts'
import { type Names, pageTexts } from '../kit/texts.ts'

export const monitorTexts = pageTexts({
  lead: [
    'What charge points of OCPP 2.0.1 watch and tell of. Charge points that connect later get it then.',
    'Was Ladestationen mit OCPP 2.0.1 überwachen und melden. Ladestationen, die sich später verbinden, erhalten es dann.',
  ],
  none: ['There are no monitors yet.', 'Es gibt noch keine Überwachungen.'],
  make: ['New monitors', 'Neue Überwachung'],
  title: ['Monitors', 'Überwachung'],
  fired: ['What they told of', 'Was gemeldet wurde'],
  nothingFired: ['No charge point has told of anything yet.', 'Noch keine Ladestation hat etwas gemeldet.'],
  allFired: ['All in the log', 'Alle in den Nachrichten'],
  taken: [
    'There is already a set with this name: change that one.',
    'Es gibt bereits eine Überwachung mit diesem Namen: Bitte ändern Sie diese.',
  ],
  rows: ['What is watched', 'Was überwacht wird'],
  rowsHint: [
    'Instances go in brackets: Component[instance]. The place is an EVSE, or EVSE/connector; empty: none. Severity 0 is danger, 9 is for debugging.',
    'Instanzen stehen in Klammern: Component[instance]. Der Ort ist eine EVSE oder EVSE/Anschluss; leer: keiner. Schweregrad 0 ist Gefahr, 9 dient der Fehlersuche.',
  ],
  place: ['Place', 'Ort'],
  types: {
    UpperThreshold: ['above', 'über'],
    LowerThreshold: ['below', 'unter'],
    Delta: ['changed by', 'geändert um'],
    Periodic: ['every … s', 'alle … s'],
    PeriodicClockAligned: ['every … s from midnight', 'alle … s ab Mitternacht'],
  } satisfies Names<MonitorType>,
  cleared: ['cleared', 'gelöscht'],
  severity: ['Severity', 'Schweregrad'],
  when: ['When', 'Wann'],
  always: ['always', 'immer'],
  inTransactions: ['in transactions', 'in Transaktionen'],
  noStations: ['It applies to no charge point.', 'Sie gilt für keine Ladestation.'],
  deleteAsk: ['Delete these monitors?', 'Diese Überwachung löschen?'],
  deleteLead: [
    'They are cleared on the charge points, unless another set wants them.',
    'Sie wird auf den Ladestationen gelöscht, sofern keine andere Überwachung dasselbe verlangt.',
  ],
})
