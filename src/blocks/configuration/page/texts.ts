/** The words of the configurations' pages, in English and German. A missing translation does not compile. */
import type { Language } from '../../../web/texts.ts'
import type { RebootPolicy } from '../../intents/records.ts'

type Named<Key extends string> = Readonly<Record<Key, string>>

const en = {
  configurations: 'Configurations',
  lead: 'Settings that many charge points are to have. Whoever connects later gets them then.',
  none: 'There are no configurations yet.',
  make: 'New configuration',
  name: 'Name',
  nameHint: 'Letters, digits, _ . and -, at most 64.',
  taken: 'There is a configuration of this name: change that one.',
  charging: 'Charge points',
  priority: 'Priority',
  priorityHint: 'Of two that set the same, the greater one counts.',
  values: 'Values',
  changed: 'Changed',
  edit: 'Change',
  delete: 'Delete',
  deleteAsk: 'Delete this configuration?',
  deleteLead: 'What charge points were set stays as it is. What waits is not sent any more.',
  cancel: 'Cancel',
  save: 'Save',
  variables: 'Variables (OCPP 2.0.1)',
  variablesHint:
    'Instances stand in brackets: Component[instance]. The place is an EVSE, or EVSE/connector; empty: none.',
  place: 'Place',
  component: 'Component',
  variable: 'Variable',
  attribute: 'Attribute',
  value: 'Value',
  keys16: 'Configuration keys (OCPP 1.6)',
  key: 'Key',
  row: (number: number) => `row ${number}`,
  secretHint: 'A secret stands as ***; left so, it stays what it is.',
  more: 'More rows',
  reboot: 'Restart for what takes effect with one only',
  policies: {
    never: 'never: until the charge point boots by itself',
    onIdle: 'when nobody charges',
    window: 'when nobody charges, within these hours',
  } as Named<RebootPolicy>,
  status: 'How far it is',
  all: 'all',
  noStations: 'It means no charge point.',
  station: 'Charge point',
  state: 'State',
  reason: 'Reason',
  badState: 'That is no state.',
  notSaved: 'Nothing was saved.',
}

export type ConfigurationTexts = typeof en

const de: ConfigurationTexts = {
  configurations: 'Konfigurationen',
  lead: 'Einstellungen, die viele Stationen haben sollen. Wer sich später verbindet, bekommt sie dann.',
  none: 'Es gibt noch keine Konfigurationen.',
  make: 'Neue Konfiguration',
  name: 'Name',
  nameHint: 'Buchstaben, Ziffern, _ . und -, höchstens 64.',
  taken: 'Eine Konfiguration dieses Namens gibt es schon: bitte diese ändern.',
  charging: 'Stationen',
  priority: 'Rang',
  priorityHint: 'Setzen zwei dasselbe, gilt der größere.',
  values: 'Werte',
  changed: 'Geändert',
  edit: 'Ändern',
  delete: 'Löschen',
  deleteAsk: 'Diese Konfiguration löschen?',
  deleteLead: 'Was Stationen gesetzt wurde, bleibt so. Was wartet, wird nicht mehr gesendet.',
  cancel: 'Abbrechen',
  save: 'Speichern',
  variables: 'Variablen (OCPP 2.0.1)',
  variablesHint:
    'Instanzen stehen in Klammern: Component[instance]. Der Ort ist eine EVSE oder EVSE/Anschluss; leer: keiner.',
  place: 'Ort',
  component: 'Komponente',
  variable: 'Variable',
  attribute: 'Attribut',
  value: 'Wert',
  keys16: 'Konfigurationsschlüssel (OCPP 1.6)',
  key: 'Schlüssel',
  row: (number) => `Zeile ${number}`,
  secretHint: 'Ein Geheimnis steht als *** da; bleibt das stehen, bleibt es, was es ist.',
  more: 'Mehr Zeilen',
  reboot: 'Neustart für das, was nur damit wirksam wird',
  policies: {
    never: 'nie: bis die Station von selbst startet',
    onIdle: 'wenn niemand lädt',
    window: 'wenn niemand lädt, innerhalb dieser Stunden',
  },
  status: 'Wie weit sie ist',
  all: 'alle',
  noStations: 'Sie meint keine Station.',
  station: 'Ladestation',
  state: 'Zustand',
  reason: 'Grund',
  badState: 'Das ist kein Zustand.',
  notSaved: 'Nichts wurde gespeichert.',
}

const LANGUAGES: Readonly<Record<Language, ConfigurationTexts>> = { en, de }

export function configurationTexts({ language }: { readonly language: Language }): ConfigurationTexts {
  return LANGUAGES[language]
}
