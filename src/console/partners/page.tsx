/** `/dashboard/partners`: roaming partners and what is exchanged with them (OCPI-A8), for administrators. */
import type { Invited, PartnerOrders } from '../../application/partners/orders.ts'
import { PostPartnerSchema, PutPartySchema } from '../../application/partners/schemas.ts'
import type { OcpiParty, Partner } from '../../domain/partners/records.ts'
import type { Refusal } from '../../domain/ports/storage-records.ts'
import { noSuch } from '../../domain/refuse.ts'
import { NOTHING_TYPED, Page, type Typed } from '../../web/entries.tsx'
import { TableCard, Title } from '../../web/parts/table.tsx'
import type { MountConsolePages } from '../console-parts.ts'
import { checkedForm, type Field, Form, filledIn, typedWith } from '../kit/form.tsx'
import { Paging } from '../kit/list.tsx'
import { pageOfRows, rowsAsked } from '../kit/listing.ts'
import { ago, chip, cutOff, link, type PageTexts, wordsIn } from '../kit/parts.tsx'
import { again, type Done, ordering, showing, type Visit } from '../visit.tsx'
import {
  ACTION,
  exchangeOf,
  partiesOf,
  partnerOf,
  pathOf,
  showExchange,
  showPartner,
  stateChip,
} from './partner-page.tsx'

const LIST = '/partners'

export function partnerPages(orders: PartnerOrders): MountConsolePages {
  const submitted = (order: (orders: PartnerOrders, visit: Visit, form: URLSearchParams) => Promise<Done>) => ({
    POST: ordering('administrator', ACTION, (visit, form) => order(orders, visit, form)),
  })
  return (page) => {
    page(LIST, { GET: showing('administrator', (visit) => listPage(visit)) })
    page(`${LIST}/party`, submitted(setParty))
    page(`${LIST}/add`, { ...submitted(add), names: 'name' })
    page(`${LIST}/:partnerId`, { GET: showing('administrator', (visit) => showPartner(visit)) })
    page(`${LIST}/:partnerId/:action`, submitted(act))
    page(`${LIST}/:partnerId/exchanges/:exchangeId`, { GET: showing('administrator', showExchange) })
    page(`${LIST}/:partnerId/exchanges/:exchangeId/replay`, submitted(replay))
  }
}

async function listPage(visit: Visit, which?: 'add' | 'party', typed: Typed = NOTHING_TYPED) {
  const { site, context, frame, accountId } = visit
  const after = context.req.query('after')?.slice(0, 100)
  const [found, party] = await Promise.all([
    site.reads.listRecords('partners', {
      where: { accountId },
      limit: rowsAsked(frame),
      after: after === undefined ? undefined : { accountId, partnerId: after },
    }),
    site.reads.getRecord('ocpi_parties', { accountId }),
  ])
  const { rows, last } = pageOfRows(found, frame)
  const words = wordsIn('partners', frame)
  const path = `${frame.root}${LIST}`
  const form = (name: 'add' | 'party') => ({
    visit,
    action: ACTION,
    to: `${path}/${name}`,
    title: words[name],
    submit: words.save,
    typed: which === name ? typed : NOTHING_TYPED,
  })
  return (
    <Page frame={frame} title={frame.texts.partners} wide live>
      <Title text={frame.texts.partners} />
      <div data-live="partners">
        <TableCard<Partner>
          label={frame.texts.partners}
          oneLine
          rows={rows}
          empty={words.none}
          columns={[
            link(words.name, (partner) => ({ to: pathOf(frame, partner), text: partner.name })),
            chip(words.state, (partner) => stateChip(words, partner), { width: 136 }),
            cutOff(words.parties, partiesOf),
            { title: words.version, width: 88, wideOnly: true, text: ({ version }) => version },
            ago(frame, words.lastContact, ({ lastContactAt }) => lastContactAt),
          ]}
        />
        <Paging frame={frame} path={path} later={after !== undefined} next={last?.partnerId} />
      </div>
      <div class="cols">
        {party && <Form {...form('add')} lead={words.addLead} fields={partnerFields(words)} />}
        <Form {...form('party')} lead={party ? undefined : words.partyLead} fields={partyFields(words, party)} />
      </div>
    </Page>
  )
}

type Words = PageTexts<'partners'>

function partnerFields(words: Words): readonly Field[] {
  return [
    { name: 'name', label: words.name, maxlength: 200, required: true },
    { name: 'url', label: words.versionsUrl, type: 'url', maxlength: 2000 },
    { name: 'token', label: words.tokenA, maxlength: 64, secret: true, autocomplete: 'off' },
  ]
}

function partyFields(words: Words, party: OcpiParty | undefined): readonly Field[] {
  const { countryCode, partyId, businessDetails } = party ?? {}
  return [
    { name: 'countryCode', label: words.countryCode, value: countryCode, maxlength: 2, required: true },
    { name: 'partyId', label: words.partyId, value: partyId, maxlength: 3, required: true },
    {
      name: 'businessDetails',
      label: words.businessName,
      value: businessDetails?.name,
      maxlength: 100,
      required: true,
    },
  ]
}

async function setParty(orders: PartnerOrders, visit: Visit, form: URLSearchParams): Promise<Done> {
  const { businessDetails: name, ...typed } = filledIn(form, ['countryCode', 'partyId', 'businessDetails'])
  const body = checkedForm(PutPartySchema, { ...typed, businessDetails: name === undefined ? undefined : { name } })
  if ('refused' in body) return refusedForm(visit, 'party', form, body)
  await orders.putParty({ accountId: visit.accountId, ...body })
  return LIST
}

async function add(orders: PartnerOrders, visit: Visit, form: URLSearchParams): Promise<Done> {
  const body = checkedForm(PostPartnerSchema, filledIn(form, ['name', 'url', 'token']))
  const done = 'refused' in body ? body : await orders.add(visit.accountId, body)
  return 'refused' in done ? refusedForm(visit, 'add', form, done) : followed(visit, done)
}

async function refusedForm(visit: Visit, which: 'add' | 'party', form: URLSearchParams, refusal: Refusal) {
  return again(await listPage(visit, which, typedWith(form, refusal)), refusal)
}

async function act(orders: PartnerOrders, visit: Visit): Promise<Done> {
  const partner = await partnerOf(visit)
  if (!partner) return noSuch('partner')
  switch (visit.context.req.param('action')) {
    case 'test':
      return { page: await showPartner(visit, await orders.test(partner)), status: 200 }
    case 'rotate':
      return followed(visit, await orders.rotate(partner))
    case 'suspend':
      return followed(visit, await orders.change(partner, { state: 'suspended' }))
    case 'resume':
      return followed(visit, await orders.change(partner, { state: 'registered' }))
    case 'delete':
      await orders.remove(partner)
      return LIST
    default:
      return noSuch('page')
  }
}

async function replay(orders: PartnerOrders, visit: Visit): Promise<Done> {
  const found = await exchangeOf(visit)
  if (!found) return noSuch('exchange')
  const done = await orders.replay(found.partner, found.exchange)
  return 'refused' in done ? done : `${LIST}/${found.partner.partnerId}`
}

function followed(visit: Visit, done: Partner | Invited | Refusal): Done {
  if ('refused' in done) return done
  return 'token' in done ? invitation(visit, done) : `${LIST}/${done.partnerId}`
}

/** The only page that ever shows token A. */
function invitation({ frame, site }: Visit, { partner, token }: Invited): Done {
  const words = wordsIn('partners', frame)
  const page = (
    <Page frame={frame} title={partner.name}>
      <Title text={<bdi>{partner.name}</bdi>} up={[[pathOf(frame, partner), partner.name]]} />
      <p class="card" role="status">
        {words.tokenOnce} <code>{token}</code>
        <br />
        {words.ourVersions} <code>{`${site.baseUrl}/ocpi/versions`}</code>
      </p>
    </Page>
  )
  return { page, status: 200 }
}
