import { pageTexts } from '../kit/texts.ts'

export const choosingTexts = pageTexts({
  which: ['Which charge points', 'Welche Ladestationen'],
  whichHint: [
    'A charge point must match everything that is given. Nothing given: all charge points.',
    'Alle Angaben müssen zutreffen. Ohne Angaben: alle Ladestationen.',
  ],
  ids: ['IDs, one per line', 'IDs, eine pro Zeile'],
  labels: ['Labels, one per line, such as site:north', 'Labels, eines pro Zeile, zum Beispiel site:north'],
  leftOut: ['Exclude some', 'Einige ausschließen'],
  notIds: ['Excluded IDs, one per line', 'Ausgeschlossene IDs, eine pro Zeile'],
  notLabels: [
    'Labels of excluded charge points, one per line',
    'Labels ausgeschlossener Ladestationen, eines pro Zeile',
  ],
  except: ['but not', 'außer'],
  count: ['Count them', 'Zählen'],
  means: [
    (count: number) => `This matches ${count} charge points now.`,
    (count: number) => `Das trifft jetzt auf ${count} Ladestationen zu.`,
  ],
  matchesNoUser: ['This matches no charge point now.', 'Das trifft jetzt auf keine Ladestation zu.'],
  andMore: [(count: number) => `and ${count} more`, (count: number) => `und ${count} weitere`],
  everybody: ['all charge points', 'alle Ladestationen'],
  hours: ['Hours of the day', 'Stunden des Tages'],
  hoursHint: ['An end before the start is on the next day.', 'Ein Ende vor dem Beginn liegt am nächsten Tag.'],
  start: ['From', 'Von'],
  end: ['Until', 'Bis'],
  weekdays: {
    mon: ['Monday', 'Montag'],
    tue: ['Tuesday', 'Dienstag'],
    wed: ['Wednesday', 'Mittwoch'],
    thu: ['Thursday', 'Donnerstag'],
    fri: ['Friday', 'Freitag'],
    sat: ['Saturday', 'Samstag'],
    sun: ['Sunday', 'Sonntag'],
  },
  days: ['Only on these days (none selected: every day)', 'Nur an diesen Tagen (keiner ausgewählt: jeden Tag)'],
})
