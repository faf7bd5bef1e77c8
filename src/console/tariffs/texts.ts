import { pageTexts } from '../kit/texts.ts'

export const tariffTexts = pageTexts({
  newTariff: ['New tariff', 'Neuer Tarif'],
  tariff: ['Tariff', 'Tarif'],
  ofAccount: ['All charge points without a tariff of their own', 'Alle Ladestationen ohne eigenen Tarif'],
  chargePointHint: [
    'Empty: all charge points without a tariff of their own.',
    'Leer: alle Ladestationen ohne eigenen Tarif.',
  ],
  perKwh: ['Per kWh', 'Je kWh'],
  perMinute: ['Per minute', 'Je Minute'],
  perSession: ['Per session', 'Je Ladevorgang'],
  idlePerMinute: ['Per idle minute, added', 'Je Standminute, zusätzlich'],
  noTariffs: [
    'There are no tariffs yet, so sessions have no cost.',
    'Es gibt noch keine Tarife, daher haben Ladevorgänge keine Kosten.',
  ],
  preview: ['What a charge would cost', 'Was ein Ladevorgang kosten würde'],
  previewEnergy: ['Energy in kWh', 'Energie in kWh'],
  previewMinutes: ['Minutes from start to stop', 'Minuten von Start bis Ende'],
  previewIdle: ['Of these, minutes idle after charging', 'Davon Minuten Standzeit nach dem Laden'],
  previewButton: ['Calculate', 'Berechnen'],
  previewTotal: ['Total, without VAT', 'Summe ohne Umsatzsteuer'],
  versionHint: [
    'A change creates a new version, for sessions that start from now on.',
    'Eine Änderung erzeugt eine neue Version für Ladevorgänge, die ab jetzt beginnen.',
  ],
  deleteTariffAsk: [
    'Sessions that start afterwards are not priced by it; sessions that have started keep their price.',
    'Ladevorgänge, die danach beginnen, werden nicht mehr danach berechnet; begonnene behalten ihren Preis.',
  ],
})
