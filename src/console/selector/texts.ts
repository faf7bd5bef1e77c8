/** The words for choosing charge points and hours, in English and German. A missing translation does not compile. */
import { inLanguages } from '../../web/in-languages.ts'

const en = {
  which: 'Which charge points',
  whichHint: 'All that is given must hold. Nothing given: all of the account.',
  ids: 'Ids, one per line',
  labels: 'Labels, one per line, such as site:north',
  vendor: 'Vendor',
  model: 'Model',
  firmwareVersion: 'Firmware',
  leftOut: 'Leave some out',
  notIds: 'Ids that are left out, one per line',
  notLabels: 'Labels whose charge points are left out, one per line',
  except: 'but not',
  count: 'Count them',
  means: (count: number) => `It means ${count} charge points now.`,
  meansNobody: 'It means no charge point now.',
  andMore: (count: number) => `and ${count} more`,
  everybody: 'all charge points',
  hours: 'Hours of the day',
  hoursHint: 'An end before the start belongs to the next day.',
  start: 'From',
  end: 'Until',
  timeZone: 'Time zone',
  days: 'Only on these days (none ticked: on all)',
}

export type ChoosingTexts = typeof en

const de: ChoosingTexts = {
  which: 'Welche Stationen',
  whichHint: 'Alles, was dasteht, muss zutreffen. Steht nichts da: alle des Kontos.',
  ids: 'Ids, eine je Zeile',
  labels: 'Labels, eines je Zeile, etwa site:north',
  vendor: 'Hersteller',
  model: 'Modell',
  firmwareVersion: 'Firmware',
  leftOut: 'Einige ausnehmen',
  notIds: 'Ids, die ausgenommen sind, eine je Zeile',
  notLabels: 'Labels, deren Stationen ausgenommen sind, eines je Zeile',
  except: 'außer',
  count: 'Zählen',
  means: (count) => `Gemeint sind jetzt ${count} Stationen.`,
  meansNobody: 'Gemeint ist jetzt keine Station.',
  andMore: (count) => `und ${count} weitere`,
  everybody: 'alle Stationen',
  hours: 'Stunden des Tages',
  hoursHint: 'Ein Ende vor dem Beginn gehört zum nächsten Tag.',
  start: 'Von',
  end: 'Bis',
  timeZone: 'Zeitzone',
  days: 'Nur an diesen Tagen (keiner angekreuzt: an allen)',
}

export const choosingTexts = inLanguages<ChoosingTexts>({ en, de })
