import { pageTexts } from '../kit/texts.ts'

/** In minutes, unless they are no whole ones. */
function lasting(atOnce: string): (seconds: number) => string {
  return (seconds) => (seconds === 0 ? atOnce : seconds % 60 === 0 ? `${seconds / 60} min` : `${seconds} s`)
}

export const alertTexts = pageTexts({
  title: ['Alerts', 'Alarme'],
  on: ['Open alerts', 'Offene Alarme'],
  nothingOn: ['There are no open alerts.', 'Es gibt keine offenen Alarme.'],
  overLately: ['Cleared in the last 24 hours', 'In den letzten 24 Stunden beendet'],
  rule: ['Rule', 'Regel'],
  over: ['Cleared', 'Beendet'],
  care: ['Acknowledged by', 'Übernommen von'],
  takeCare: ['Acknowledge', 'Übernehmen'],
  rules: ['Alert rules', 'Alarmregeln'],
  noRules: [
    'There are no rules yet, so nobody is alerted.',
    'Es gibt noch keine Regeln, daher wird niemand benachrichtigt.',
  ],
  suggested: ['Suggested rules', 'Vorgeschlagene Regeln'],
  suggestedHint: [
    'One click creates a rule. It sends email to',
    'Ein Klick legt eine Regel an. Sie benachrichtigt per E-Mail:',
  ],
  newRule: ['New alert rule', 'Neue Alarmregel'],
  changeRule: ['Change the alert rule', 'Alarmregel ändern'],
  ruleDeleted: ['rule deleted', 'Regel gelöscht'],
  kind: ['Kind', 'Art'],
  after: ['After', 'Nach'],
  afterHint: [
    'How many minutes it must last, such as 15 or 1.5. Empty: the default for this kind.',
    'Wie viele Minuten es andauern muss, zum Beispiel 15 oder 1,5. Leer: Vorgabe der Art.',
  ],
  afterMinutes: ['After (minutes)', 'Nach (Minuten)'],
  afterWrong: [
    (most: number) => `must be a number of minutes from 0 to ${most}, with at most two decimals`,
    (most: number) => `muss eine Zahl von Minuten zwischen 0 und ${most} sein, mit höchstens zwei Nachkommastellen`,
  ],
  lasting: [lasting('at once'), lasting('sofort')],
  site: ['Site', 'Standort'],
  allSites: ['all sites', 'alle Standorte'],
  siteTwice: ['name another site than the one chosen above', 'nennen einen anderen Standort als den oben gewählten'],
  stations: ['Charge points', 'Ladestationen'],
  stationsHint: [
    'Empty fields mean all charge points. A charge point must match everything that is given.',
    'Leere Felder bedeuten alle Ladestationen. Alle Angaben müssen zutreffen.',
  ],
  ids: ['IDs, one per line', 'IDs, eine pro Zeile'],
  labels: ['Labels as key:value, one per line', 'Labels als Schlüssel:Wert, eines pro Zeile'],
  targets: ['Who is notified', 'Wer benachrichtigt wird'],
  noUser: ['nobody: only shown here', 'niemand: nur hier angezeigt'],
  mails: ['Email addresses, one per line', 'E-Mail-Adressen, eine pro Zeile'],
  webhooks: ['Webhooks', 'Webhooks'],
  webhook: ['a webhook', 'ein Webhook'],
  webhookLink: ['to the webhook', 'zum Webhook'],
  session: ['to the session', 'zum Ladevorgang'],
  escalation: ['If nobody acknowledges it', 'Wenn es niemand übernimmt'],
  escalationHint: [
    'These are told as well, and when it is over. Quiet hours in which it was raised do not count.',
    'Dann werden auch diese benachrichtigt, ebenso am Ende. Eine Ruhezeit, in der es begann, zählt nicht mit.',
  ],
  escalateAfter: ['After (minutes)', 'Nach (Minuten)'],
  escalates: [
    (lasting: string, to: string) => `if not acknowledged (${lasting}): ${to}`,
    (lasting: string, to: string) => `wenn nicht übernommen (${lasting}): ${to}`,
  ],
  escalated: ['escalated', 'eskaliert'],
  quiet: ['Quiet hours', 'Ruhezeit'],
  quietHint: [
    'Email waits until they are over; webhooks are called at once. Times such as 22:00.',
    'E-Mails warten, bis sie vorbei ist; Webhooks werden sofort aufgerufen. Uhrzeiten wie 22:00.',
  ],
  quietFrom: ['From', 'Von'],
  quietTo: ['To', 'Bis'],
  deleteAsk: [
    'Its alerts are cleared, and nobody is notified of that.',
    'Ihre Alarme werden beendet, ohne dass jemand benachrichtigt wird.',
  ],
  test: ['Test the notifications', 'Benachrichtigungen testen'],
  testHint: [
    'Sends an email to each address and a test event to each webhook.',
    'Sendet an jede Adresse eine E-Mail und an jeden Webhook ein Testereignis.',
  ],
  tested: ['Test result', 'Testergebnis'],
  arrived: ['accepted by the mail server', 'vom Mailserver angenommen'],
  onItsWay: ['on its way', 'unterwegs'],
  line: [(line: number) => `line ${line}`, (line: number) => `Zeile ${line}`],
})
