// The staff's desk by keyboard, with scripts and without.
import { expect, test } from 'vitest'
import type { Page } from 'playwright-core'
import { findings } from '#test/web/findings.ts'
import { describeWeb } from '#test/web/web.ts'
import type { Person } from '#test/people/people.ts'

/** What a page says that was done. */
const said = (page: Page) => page.locator('.flash').getByRole('paragraph').textContent()

/** Goes on with the tabulator until an element of this name has the focus. */
async function tabTo(page: Page, name: string): Promise<void> {
  for (let step = 0; step < 80; step++) {
    await page.keyboard.press('Tab')
    const focused = await page.evaluate(
      "document.activeElement?.textContent?.trim() || document.activeElement?.getAttribute('aria-label')",
    )
    if (focused === name) return
  }
  throw new Error(`the tabulator does not lead to ${name}`)
}

describeWeb('the desk', (web) => {
  async function lay(): Promise<{ staff: Person; target: Person; reportId: string }> {
    const [staff, target] = [
      await web.app.person('warden', { role: 'Owner' }),
      await web.app.person('target'),
    ]
    const status = await target.say('what was reported')
    const reporter = await web.app.person('reporter')
    const about = {
      account_id: target.accountId,
      status_ids: [status.id],
      comment: 'look',
      category: 'other',
    }
    const { id } = (await reporter.post('/api/v1/reports', about)).ok()
    return { staff, target, reportId: id }
  }

  test('one key decides, what was done can be taken back, and others are told meanwhile', async () => {
    const { staff, target, reportId } = await lay()
    const page = await web.open(`/admin/reports/${reportId}`, { as: staff })
    await page.keyboard.press('a')
    await page.locator('.flash').waitFor()
    expect(await said(page)).toBe(`Report #${reportId} is yours.`)
    expect(await findings(web, page, 'desk-report')).toEqual([])

    const colleague = await web.app.person('colleague', { role: 'Moderator' })
    ;(await colleague.post(`/api/v1/admin/reports/${reportId}/assign_to_self`)).ok()
    await page.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
    await page.getByText(`${colleague.username} looks into this report now.`).waitFor()

    await page.keyboard.press('l')
    await page.getByRole('heading', { name: /^Limit: @target/ }).waitFor()
    const words = page.getByRole('textbox', { name: 'What you say to them' })
    await words.fill('Be kind. All keys are letters here: r, a, s')
    await page.getByRole('button', { name: 'See what they will read' }).press('Enter')
    await page.getByRole('blockquote').getByText('Be kind.').waitFor()
    expect(await findings(web, page, 'desk-decision')).toEqual([])
    await page.getByRole('button', { name: 'Limit the account' }).press('Enter')
    await page.locator('.flash').waitFor()
    expect(await said(page)).toBe('Done: Limit.')
    await page.getByRole('button', { name: 'Undo' }).press('Enter')
    await page.getByText('The limit has ended.').waitFor()
    const { silenced } = (await staff.get(`/api/v1/admin/accounts/${target.accountId}`)).ok()
    expect(silenced).toBe(false)
  })

  test('without scripts everything is reached by the tabulator, on a phone too', async () => {
    const { staff, reportId } = await lay()
    const page = await web.open('/admin/reports', {
      as: staff,
      javaScriptEnabled: false,
      viewport: { width: 390, height: 844 },
    })
    await page.getByRole('button', { name: 'All pages of the desk' }).press('Enter')
    await page
      .getByRole('navigation', { name: 'All pages of the desk' })
      .getByRole('link', { name: 'Audit log' })
      .waitFor()
    await page.keyboard.press('Escape')
    const box = page.getByRole('checkbox', { name: new RegExp(`report #${reportId}`) })
    await box.press('Space')
    expect(await box.isChecked()).toBe(true)
    await page.getByRole('button', { name: 'Settle, do nothing' }).press('Enter')
    await page.getByText('1 report is settled.').waitFor()
  })

  test('the tabulator goes from the list to a decision, and scripts tick all rows at once', async () => {
    const staff = await web.app.person('warden', { role: 'Owner' })
    await web.app.person('pullus', { approved: false })
    const page = await web.open('/admin/accounts?status=pending', { as: staff })
    await page.getByRole('checkbox', { name: 'Tick all rows' }).press('Space')
    const rows = page.getByRole('checkbox', { name: /^Tick @pullus/ })
    expect(await rows.first().isChecked()).toBe(true)
    await tabTo(page, 'Let in')
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'Let in' }).waitFor()
    expect(await findings(web, page, 'desk-confirm')).toEqual([])
  })
})
