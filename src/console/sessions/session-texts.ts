/** The words of the pages about sessions, in English and German. A missing translation does not compile. */

import type { EndReason, SessionState } from '../../domain/ports/sessions.ts'
import { type Names, pageTexts } from '../kit/texts.ts'

export const sessionTexts = pageTexts({
  running: ['running', 'laufend'],
  label: ['Label (key:value)', 'Label (Schlüssel:Wert)'],
  arrivedLate: [(time: string) => `arrived late, ${time}`, (time: string) => `verspätet gemeldet, ${time}`],
  period: ['Start of the charge', 'Beginn des Ladevorgangs'],
  periods: {
    today: ['Today', 'Heute'],
    yesterday: ['Yesterday', 'Gestern'],
    month: ['This month', 'Dieser Monat'],
    'last-month': ['Last month', 'Letzter Monat'],
  },
  startedFrom: ['Started from', 'Beginn ab'],
  startedTo: ['Started before', 'Beginn vor'],
  createdFrom: ['Created from', 'Angelegt ab'],
  createdTo: ['Created before', 'Angelegt vor'],
  noneFound: ['No session matches.', 'Keine passenden Ladevorgänge.'],
  unknownChargePoint: [
    (id: string) => `There is no charge point ${id}, and there are no sessions of it.`,
    (id: string) => `Es gibt weder eine Ladestation ${id} noch Ladevorgänge an ihr.`,
  ],
  totals: ['Total', 'Summe'],
  sessions: ['Sessions', 'Ladevorgänge'],
  adding: [
    'The totals are being calculated and will appear here in a moment.',
    'Die Summen werden berechnet und erscheinen gleich hier.',
  ],
  addedUpAt: [(time: string) => `As of ${time}.`, (time: string) => `Stand ${time}.`],
  offline: ['charge point offline', 'Ladestation offline'],
  offlineLong: [
    'The charge point is offline. What becomes of this session is not known until it is back.',
    'Die Ladestation ist offline. Was aus diesem Ladevorgang wird, ist erst bekannt, wenn sie wieder online ist.',
  ],
  stopping: ['being stopped', 'wird beendet'],
  endReasons: {
    normal: ['ended normally', 'regulär beendet'],
    deauthorized: ['the card was refused', 'die Karte wurde abgelehnt'],
    interrupted: ['no end was reported', 'kein Ende gemeldet'],
    rejected: ['the charge point refused the start', 'die Ladestation hat den Start abgelehnt'],
    expired: ['nothing happened in time', 'nichts passierte rechtzeitig'],
    cancelled: ['stopped before it started', 'vor dem Beginn beendet'],
  } satisfies Names<EndReason>,
  stopReason: ['Reason given by the charge point', 'Grund laut Ladestation'],
  meterStart: ['Meter at start', 'Zählerstand am Beginn'],
  meterStop: ['Meter at stop', 'Zählerstand am Ende'],
  stateOfCharge: ['State of charge', 'Ladestand'],
  powerNow: ['Power now', 'Leistung jetzt'],
  flags: ['Findings', 'Auffälligkeiten'],
  leave: ['Cancel', 'Abbrechen'],
  stop: ['Stop charging …', 'Laden beenden …'],
  cancel: ['Cancel the start …', 'Start abbrechen …'],
  askStop: [
    'The charge point is told to end this session, repeatedly until it does, for up to 24 hours.',
    'Die Ladestation wird aufgefordert, diesen Ladevorgang zu beenden, bei Bedarf wiederholt, bis zu 24 Stunden lang.',
  ],
  askCancel: [
    'Charging has not started. The start is canceled at once.',
    'Das Laden hat noch nicht begonnen. Der Start wird sofort abgebrochen.',
  ],
  doStop: ['Stop now', 'Jetzt beenden'],
  doCancel: ['Cancel now', 'Jetzt abbrechen'],
  settle: ['Settle …', 'Abrechnen …'],
  correct: ['Correct …', 'Korrigieren …'],
  settleHint: [
    'Figures you do not change keep their value. Each change is recorded in the ledger and sent as an event.',
    'Was Sie nicht ändern, behält seinen Wert. Jede Änderung wird verbucht und als Ereignis gemeldet.',
  ],
  energyKwh: ['Energy (kWh)', 'Energie (kWh)'],
  costNet: ['Cost without VAT', 'Kosten ohne MwSt.'],
  why: ['Reason', 'Grund'],
  doSettle: ['Settle', 'Abrechnen'],
  doCorrect: ['Correct', 'Korrigieren'],
  changedMeanwhile: [
    'The session has changed in the meantime. Check it again before you settle it.',
    'Der Ladevorgang hat sich inzwischen geändert. Prüfen Sie ihn vor dem Abrechnen noch einmal.',
  ],
  notANumber: ['must be a number of 0 or more, such as 12.5', 'muss eine Zahl ab 0 sein, zum Beispiel 12,5'],
  breakdown: ['Cost by tariff', 'Kosten nach Tarif'],
  part: ['Part', 'Teil'],
  quantity: ['Quantity', 'Menge'],
  price: ['Price', 'Preis'],
  amount: ['Amount', 'Betrag'],
  parts: {
    energy: ['Energy', 'Energie'],
    time: ['Time', 'Zeit'],
    idle: ['Idle time', 'Standzeit'],
    session: ['Start', 'Start'],
  },
  costFixed: [
    'An operator set the cost. By its tariff it would be:',
    'Ein Betreiber hat die Kosten festgelegt. Nach dem Tarif wären es:',
  ],
  otherCost: [
    'The cost shown is from the last message before the end, or was corrected since.',
    'Die angezeigten Kosten stammen aus der letzten Nachricht vor dem Ende oder wurden seitdem korrigiert.',
  ],
  sum: ['Total', 'Summe'],
  minutes: ['min', 'min'],
  current: ['Current', 'Strom'],
  voltage: ['Voltage', 'Spannung'],
  started: ['Started', 'Beginn'],
  stopped: ['Stopped', 'Ende'],
  noSessions: ['There are no sessions yet.', 'Es gibt noch keine Ladevorgänge.'],
  settlements: ['Settlements', 'Abrechnungen'],
  by: ['By', 'Von'],
  event: ['Event', 'Ereignis'],
  causes: ['Caused by', 'Ausgelöst durch'],
  course: ['Power and energy', 'Leistung und Energie'],
  noCurve: [
    'The log has no meter values of this session.',
    'Das Protokoll enthält keine Zählerwerte dieses Ladevorgangs.',
  ],
  cutCurve: [
    (count: number) => `Drawn from the newest ${count} messages.`,
    (count: number) => `Gezeichnet aus den neuesten ${count} Nachrichten.`,
  ],
  courseTable: ['As a table', 'Als Tabelle'],
  chartText: [
    (what: string, most: string, from: string, to: string) =>
      `${what} from ${from} to ${to}, at most ${most}. The table below has the values.`,
    (what: string, most: string, from: string, to: string) =>
      `${what} von ${from} bis ${to}, höchstens ${most}. Die Werte stehen in der Tabelle darunter.`,
  ],
  sessionStates: {
    pending: ['pending', 'wartet'],
    charging: ['charging', 'lädt'],
    suspended: ['suspended', 'pausiert'],
    finishing: ['finishing', 'endet'],
    completed: ['completed', 'beendet'],
    failed: ['failed', 'fehlgeschlagen'],
  } satisfies Names<SessionState>,
  eventKinds: {
    transition: ['state', 'Zustand'],
    settlement: ['settlement', 'Abrechnung'],
    figures: ['figures', 'Werte'],
    test: ['test', 'Test'],
  },
})

export type SessionTexts = ReturnType<typeof sessionTexts>
