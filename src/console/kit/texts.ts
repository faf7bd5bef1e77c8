import { inEach, inLanguages, type Language, type Namespace, type TextsIn } from '../../web/words/in-languages.ts'

export const sharedWords = inLanguages('console')

/** A page's own texts count before those that all pages share. */
export function pageTexts<Name extends Namespace>(
  name: Name,
): (reader: { readonly language: Language }) => Omit<TextsIn<'console'>, keyof TextsIn<Name>> & TextsIn<Name> {
  const own = inLanguages(name)
  return inEach((language) => ({ ...sharedWords({ language }), ...own({ language }) }))
}

export const alertTexts = pageTexts('alerts')
export const bulkTexts = pageTexts('bulkOrders')
export const cardTexts = pageTexts('idTokens')
export const certificateTexts = pageTexts('certificates')
export const chargeLimitTexts = pageTexts('chargeLimits')
export const chargePointTexts = pageTexts('chargePoints')
export const choosingTexts = pageTexts('selector')
export const configurationTexts = pageTexts('configurations')
export const displayTexts = pageTexts('displayMessages')
export const firmwareTexts = pageTexts('firmware')
export const groupFormTexts = pageTexts('limitGroupForm')
export const historyTexts = pageTexts('history')
export const inputTexts = pageTexts('limitGroupInputs')
export const intentTexts = pageTexts('intents')
export const jumpTexts = pageTexts('jump')
export const limitTexts = pageTexts('limitGroups')
export const logRequestTexts = pageTexts('logRequests')
export const logTexts = pageTexts('messages')
export const monitorTexts = pageTexts('monitors')
export const nodeTexts = pageTexts('nodes')
export const overviewTexts = pageTexts('overview')
export const reportTexts = pageTexts('reports')
export const sessionTexts = pageTexts('sessions')
export const siteTexts = pageTexts('sites')
export const stationLimitTexts = pageTexts('stationLimits')
export const summaryTexts = pageTexts('messageSummaries')
export const takenTexts = pageTexts('limitGroupProof')
export const tariffTexts = pageTexts('tariffs')
export const timelineTexts = pageTexts('timeline')
export const uptimeTexts = pageTexts('uptime')
export const userTexts = pageTexts('users')
export const variableTexts = pageTexts('variables')
export const webhookTexts = pageTexts('webhooks')

export type ChargePointTexts = ReturnType<typeof chargePointTexts>
export type VariableTexts = ReturnType<typeof variableTexts>
