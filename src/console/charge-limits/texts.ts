import { pageTexts } from '../kit/texts.ts'

export const chargeLimitTexts = pageTexts({
  limits: ['Limits of this charge', 'Limits dieses Ladevorgangs'],
  each: ['At most', 'Höchstens'],
  limitsLead: [
    'It is stopped when it reaches any of them. Empty: no limit.',
    'Er wird gestoppt, sobald er eines erreicht. Leer: kein Limit.',
  ],
  energyKwh: ['Energy (kWh)', 'Energie (kWh)'],
  costHint: ['Without VAT, in the currency of the tariff.', 'Ohne Umsatzsteuer, in der Währung des Tarifs.'],
  minutes: ['Duration (minutes)', 'Dauer (Minuten)'],
  reached: ['Stopped by its limit', 'Gestoppt durch sein Limit'],
  reachedOf: [
    (reached: string, limit: string) => `${reached} of ${limit}`,
    (reached: string, limit: string) => `${reached} von ${limit}`,
  ],
  kinds: { energy: ['energy', 'Energie'], cost: ['cost', 'Kosten'], duration: ['duration', 'Dauer'] },
  budgetReached: ['the budget of its card', 'das Budget seiner Karte'],
  cardLimits: ['Limits and budget', 'Limits und Budget'],
  eachCharge: ['Limits of each charge', 'Limits jedes Ladevorgangs'],
  budget: ['Budget', 'Budget'],
  budgetLead: [
    'What all charges of the card may come to, wherever it charges. Used up, the card is refused.',
    'So viel dürfen alle Ladevorgänge der Karte ergeben, wo auch immer sie lädt. Ist es aufgebraucht, wird die Karte abgewiesen.',
  ],
  most: ['At most', 'Höchstens'],
  mostHint: ['Empty: no budget.', 'Leer: kein Budget.'],
  unit: ['Unit', 'Einheit'],
  units: { cost: ['money, net', 'Geld, netto'], energyKwh: ['kWh', 'kWh'] },
  per: ['Per', 'Je'],
  pers: { day: ['day', 'Tag'], month: ['month', 'Monat'], total: ['in all', 'insgesamt'] },
  priority: ['Priority', 'Priorität'],
  priorityHint: [
    'Where charges share a connection by priority: greater first. Empty: 0.',
    'Wo Ladevorgänge einen Anschluss nach Priorität teilen: die größere zuerst. Leer: 0.',
  ],
  usedLeft: [
    (used: string, left: string) => `${used} used, ${left} left`,
    (used: string, left: string) => `${used} genutzt, ${left} übrig`,
  ],
  usedUp: ['used up', 'aufgebraucht'],
  period: ['Counts', 'Zählt'],
  none: ['It has no budget.', 'Sie hat kein Budget.'],
  budgetOf: ['Budget of its card', 'Budget seiner Karte'],
})
