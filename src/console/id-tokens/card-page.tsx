/** One card: changed, blocked, deleted, and what its charges may come to (ADMIN-G1, CONSOLE-G9). */
import { check } from '../../application/check-schema.ts'
import { budgetStanding } from '../../application/id-tokens/budget.ts'
import { changeIdToken, deleteIdToken, retypeIdToken } from '../../application/id-tokens/id-tokens.ts'
import { ChangeIdTokenSchema } from '../../application/schemas/id-tokens.ts'
import type { IdToken } from '../../domain/ports/id-tokens.ts'
import { noSuch, refuseFaults } from '../../domain/refuse.ts'
import { NOTHING_TYPED, Page, type Typed } from '../../web/entries.tsx'
import { Title } from '../../web/parts/table.tsx'
import { cardFields, LIMIT_FIELDS, limitsText, Standing, typedCardLimits } from '../charge-limits/charge-limits.tsx'
import type { ConsolePage } from '../console-parts.ts'
import { Deletion, Form, typedWith } from '../kit/form.tsx'
import { Facts, Panel, wordsIn } from '../kit/parts.tsx'
import { cardPath } from '../paths.ts'
import { again, type Done, ordering, showing, type Visit } from '../visit.tsx'
import { ACTION, attributes, BlockOrAccept, LIST, typedCard } from './id-tokens.tsx'

export const showCard: ConsolePage = showing('see', async (visit) => {
  const card = await cardOf(visit)
  return card && cardPage(visit, card)
})

export const changeCard: ConsolePage = ordering('operate', ACTION, async (visit, form) => {
  const card = await cardOf(visit)
  if (!card) return noSuch('id token')
  // A field that is left empty removes its attribute.
  const { id: _, ...texts } = typedCard(visit, form, card)
  const changed = await retypeIdToken(visit.site, card, { expiresAt: '', groupId: '', ...texts })
  if (!('refused' in changed)) return LIST
  return again(await cardPage(visit, card, typedWith(form, changed)), changed)
})

/** CONSOLE-G9: what is left empty is taken away. */
async function limitCard(visit: Visit, form: URLSearchParams): Promise<Done> {
  const card = await cardOf(visit)
  if (!card) return noSuch('id token')
  const checked = check(ChangeIdTokenSchema, typedCardLimits(form))
  const changed = checked.ok ? await changeIdToken(visit.site, card, checked.value) : refuseFaults(checked.faults)
  if (!('refused' in changed)) return cardPath({ root: '' }, card.id)
  return again(await cardPage(visit, card, NOTHING_TYPED, typedWith(form, changed, LIMIT_FIELDS)), changed)
}

export const actOnCard: ConsolePage = ordering('operate', ACTION, async (visit, form) => {
  const { site, context, accountId } = visit
  const { idToken: id = '', action } = context.req.param()
  if (action === 'limits') return limitCard(visit, form)
  if (action === 'delete') return (await deleteIdToken(site, accountId, id)) ?? LIST
  const status = action === 'block' ? 'Blocked' : action === 'accept' ? 'Accepted' : undefined
  if (!status) return noSuch('page')
  const changed = await changeIdToken(site, { accountId, id }, { status })
  return 'refused' in changed ? changed : LIST
})

function cardOf({ site, context, accountId }: Visit): Promise<IdToken | undefined> {
  return site.reads.findIdToken(accountId, context.req.param('idToken') ?? '')
}

async function cardPage(visit: Visit, card: IdToken, typed: Typed = NOTHING_TYPED, limits: Typed = NOTHING_TYPED) {
  const { site, frame, operates } = visit
  const standing = await budgetStanding(site, card, site.now(), site.timeZone)
  const [words, limitWords] = [wordsIn('idTokens', frame), wordsIn('chargeLimits', frame)]
  const path = cardPath(frame, card.id)
  const form = { visit, action: ACTION, submit: words.save }
  return (
    <Page frame={frame} title={words.card}>
      <Title text={<bdi class="host">{card.id}</bdi>} up={[[frame.root + LIST, words.cards]]}>
        {operates && (
          <>
            <BlockOrAccept visit={visit} card={card} />
            <Deletion
              visit={visit}
              action={ACTION}
              of={path}
              ask={words.deleteCardAsk}
              what={`${words.card} ${card.id}`}
            />
          </>
        )}
      </Title>
      {operates ? (
        <Form {...form} to={path} typed={typed} fields={attributes(frame, card)} />
      ) : (
        <Facts
          class="card"
          facts={[
            [words.status, words.statuses[card.status]],
            [words.type, card.type],
            [limitWords.eachCharge, card.sessionLimits && limitsText(frame, card.sessionLimits, undefined)],
          ]}
        />
      )}
      <Panel title={limitWords.budget}>
        {standing ? <Standing frame={frame} standing={standing} /> : <p class="soft">{limitWords.none}</p>}
      </Panel>
      {operates && (
        <Form
          {...form}
          title={limitWords.cardLimits}
          to={`${path}/limits`}
          typed={limits}
          fields={cardFields(frame, card)}
        />
      )}
    </Page>
  )
}
