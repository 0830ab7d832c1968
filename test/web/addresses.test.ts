// The addresses of the app, each with its view, and the names by which what people do again and again is found.
import { expect, test } from 'vitest'
import type { Page } from 'playwright-core'
import type { Person } from '#test/people/people.ts'
import { describeWeb } from '#test/web/web.ts'

/** Goes there as by a link, without another document. */
const follow = (page: Page, path: string) =>
  page.evaluate(`(() => {
    const link = document.createElement('a')
    link.href = ${JSON.stringify(path)}
    document.body.append(link)
    link.click()
    link.remove()
  })()`)

/** Every address with its heading. */
function viewsOf(wren: Person, ids: { list: string; post: string }): (readonly [string, string])[] {
  const [profile, post] = [`/@${wren.username}`, `/@${wren.username}/${ids.post}`]
  const name = wren.username
  return [
    ['/public', 'All servers'],
    ['/public/local', 'This server'],
    ['/public/remote', 'Other servers'],
    ['/tags/plum', '#plum'],
    [`/lists/${ids.list}`, 'Singers'],
    ['/links/https%3A%2F%2Fbirds.example%2Fsong', 'Posts about https://birds.example/song'],
    ['/explore', 'Explore'],
    ['/explore/tags', 'Explore'],
    ['/explore/links', 'Explore'],
    ['/explore/suggestions', 'Explore'],
    ['/search?q=plum', 'Search: plum'],
    ['/directory', 'Directory'],
    ['/notifications', 'Notifications'],
    ['/notifications/requests', 'Kept notifications'],
    ['/conversations', 'Conversations'],
    ['/follow_requests', 'Follow requests'],
    ...['', '/with_replies', '/media', '/featured', '/followers', '/following', '/tagged/plum'].map(
      (part) => [profile + part, name] as const,
    ),
    [post, `${name}’s post`],
    [`${post}/favourites`, 'Favourites'],
    [`${post}/reblogs`, 'Boosts'],
    [`${post}/quotes`, 'Quotes'],
    [`${post}/history`, 'Edits'],
    ['/publish', 'New post'],
    ['/share?text=heard&title=A+song&url=https%3A%2F%2Fbirds.example%2F', 'New post'],
    ['/drafts', 'Drafts'],
    ['/scheduled', 'Scheduled posts'],
    ['/bookmarks', 'Bookmarks'],
    ['/favourites', 'Favourites'],
    ['/lists', 'Lists'],
    ['/followed_tags', 'Followed tags'],
    ['/collections', 'Collections'],
    ['/blocks', 'Blocked people'],
    ['/mutes', 'Muted people'],
    ['/domain_blocks', 'Hidden servers'],
    ['/filters', 'Filters'],
    ['/keyboard-shortcuts', 'Keyboard shortcuts'],
    ['/columns', 'Columns'],
    ['/catch_up', 'Catch up'],
    ['/statistics', 'Numbers'],
    ['/home', 'Home'],
  ]
}

describeWeb('addresses', (web) => {
  test('each of the app leads to its view, from within and as a document', async () => {
    const wren = await web.app.person()
    const { id: post } = await wren.say('sung at #plum blossom')
    const { id: list } = (await wren.post('/api/v1/lists', { title: 'Singers' })).ok()
    const page = await web.open('/home', { as: wren })
    // Nobody has posted the link, which the API answers by 404.
    const complaints = web.expectComplaints()
    const documents: string[] = []
    for (const [path, heading] of viewsOf(wren, { list, post })) {
      await follow(page, path)
      await page.getByRole('heading', { level: 1, name: heading, exact: true }).waitFor()
      expect(new URL(page.url()).pathname).toBe(path.replace(/\?.*/, ''))
      const answer = await page.request.get(web.app.ctx.config.baseUrl + path, {
        headers: { accept: 'text/html', 'sec-fetch-dest': 'document' },
      })
      if (answer.status() !== 200 || !(await answer.text()).includes('id="start"')) documents.push(path)
    }
    expect(documents).toEqual([])
    expect(complaints).toEqual([expect.stringContaining('404')])
  })

  test('what is done again and again is found by its role and name', async () => {
    const [wren, robin] = [await web.app.person(), await web.app.person()]
    await wren.follow(robin)
    await robin.say('a short song')
    const page = await web.open('/home', { as: wren })
    const form = page.getByRole('form', { name: 'New post', exact: true })
    await form.getByRole('textbox', { name: 'What is on your mind?', exact: true }).waitFor()
    for (const name of ['Add media', 'Add poll', 'Content warning', 'Language', 'Visibility', 'Publish'])
      expect([name, await form.getByRole('button', { name, exact: true }).count()]).toEqual([name, 1])
    for (const role of ['main', 'navigation', 'complementary'] as const)
      expect([role, await page.getByRole(role).count()]).toEqual([role, 1])
    const post = page.getByRole('feed', { name: 'Home', exact: true }).getByRole('article')
    expect(await post.getAttribute('aria-label')).toMatch(
      new RegExp(`^${robin.username}, .*\\d{4}.*\\d:\\d\\d`),
    )
    for (const name of ['Reply', 'More'])
      expect([name, await post.getByRole('button', { name, exact: true }).count()]).toEqual([name, 1])
    for (const name of ['Boost', 'Favourite', 'Bookmark']) {
      const button = post.getByRole('button', { name, exact: true, pressed: false })
      expect([name, await button.count()]).toEqual([name, 1])
    }
    await follow(page, `/@${robin.username}`)
    await page.getByRole('button', { name: 'Unfollow', exact: true }).click()
    await page.getByRole('button', { name: 'Follow', exact: true }).waitFor()
  })
})
