import { pageTexts } from '../kit/texts.ts'

export const reportTexts = pageTexts({
  title: ['Reports', 'Berichte'],
  lead: [
    'A report sums up the sessions of each week or month by card, site or label, and is sent by email as a file.',
    'Ein Bericht summiert die Ladevorgänge jeder Woche oder jedes Monats je Karte, Standort oder Label und kommt per E-Mail als Datei.',
  ],
  noReports: [
    'There are no reports yet, so none is sent.',
    'Es gibt noch keine Berichte, daher wird keiner verschickt.',
  ],
  newReport: ['New report', 'Neuer Bericht'],
  changeReport: ['Change the report', 'Bericht ändern'],
  groupBy: ['Grouped by', 'Gruppiert nach'],
  site: ['Site', 'Standort'],
  label: ['Label', 'Label'],
  labelKey: ['Key of the label', 'Schlüssel des Labels'],
  labelHint: [
    'Only for grouping by label, such as cost-center.',
    'Nur für die Gruppierung nach Label, etwa cost-center.',
  ],
  schedule: ['Sent', 'Versand'],
  weekly: ['weekly', 'wöchentlich'],
  monthly: ['monthly', 'monatlich'],
  scheduleHint: [
    'When the week or month is over. With another choice it begins with the one that runs now.',
    'Wenn die Woche oder der Monat vorbei ist. Nach einem Wechsel beginnt er mit dem laufenden Zeitraum.',
  ],
  format: ['File', 'Datei'],
  csv: ['CSV', 'CSV'],
  pdf: ['PDF', 'PDF'],
  formatHint: ['A PDF comes with the CSV file beside it.', 'Mit einer PDF-Datei kommt auch die CSV-Datei.'],
  lastMails: ['Last emails', 'Letzte E-Mails'],
  noMails: ['None was sent yet.', 'Es wurde noch keine verschickt.'],
  target: ['Recipient', 'Empfänger'],
  period: ['Period', 'Zeitraum'],
  sent: ['Sent', 'Verschickt'],
  onItsWay: ['on its way', 'unterwegs'],
  refused: [
    (attempts: number) => `not accepted, attempt ${attempts}`,
    (attempts: number) => `nicht angenommen, Versuch ${attempts}`,
  ],
  mails: ['Email addresses, one per line', 'E-Mail-Adressen, eine pro Zeile'],
  targets: ['Sent to', 'Empfänger'],
  next: ['Next email', 'Nächste E-Mail'],
  line: [(line: number) => `line ${line}`, (line: number) => `Zeile ${line}`],
  taken: ['there is one of this name already', 'es gibt schon einen mit diesem Namen'],
  deleteReport: ['Delete the report?', 'Bericht löschen?'],
  deleteAsk: [
    'It is not sent any more; one that is on its way is.',
    'Er wird nicht mehr verschickt; was schon unterwegs ist, kommt noch an.',
  ],
})
