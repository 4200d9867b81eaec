// What is packed is unpacked once something needs it: DataTables when a table is seen, Vega for the scorecards.
const unpack = async name => {
  const bytes = Uint8Array.from(atob(document.getElementById(`packed-${name}`).textContent), each => each.charCodeAt(0))
  return new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"))).text()
}
const load = async name => import(URL.createObjectURL(new Blob([await unpack(name)], { type: "text/javascript" })))

// Tables sort, filter and, where long, have pages; on paper every row is there.
let tables
const prepareTables = async () => {
  const style = document.createElement("style")
  style.textContent = await unpack("datatables-style")
  document.head.prepend(style) // so that the page's own style comes after
  const dark = matchMedia("(prefers-color-scheme: dark)")
  const follow = () => document.documentElement.classList.toggle("dark", dark.matches)
  dark.addEventListener("change", follow)
  follow()
  return (await load("datatables")).default
}
const SHORT = 25
const enhance = async table => {
  const DataTable = await (tables ??= prepareTables())
  const name = table.closest("[aria-label]").getAttribute("aria-label")
  const isLong = table.tBodies[0].rows.length > SHORT
  const made = new DataTable(table, {
    order: [], autoWidth: false, paging: isLong, pageLength: SHORT, lengthMenu: [SHORT, 100, { label: "All", value: -1 }],
    language: { search: "Search", searchPlaceholder: "in all columns", lengthMenu: "_MENU_ rows" },
    layout: {
      topStart: "search", topEnd: isLong ? "pageLength" : null, bottomStart: "info", bottomEnd: isLong ? "paging" : null,
    },
  })
  table.closest(".dt-container").querySelector("input[type=search]").setAttribute("aria-label", `Search ${name}`)
  let length = SHORT
  addEventListener("beforeprint", () => { length = made.page.len(); made.page.len(-1).draw() })
  addEventListener("afterprint", () => made.page.len(length).draw())
}
const seen = new IntersectionObserver(entries => {
  for (const { target } of entries.filter(entry => entry.isIntersecting)) {
    seen.unobserve(target)
    enhance(target)
  }
})
for (const table of document.querySelectorAll("table.sortable")) if (table.tBodies.length) seen.observe(table)

// A picture that stands elsewhere in the page is held once.
for (const image of document.querySelectorAll("img[data-like]")) image.src = document.getElementById(image.dataset.like).src

// A figure opens large, with its caption; Escape closes, and the focus goes back.
const zoom = document.getElementById("zoom")
for (const button of document.querySelectorAll("button.zoom")) {
  button.addEventListener("click", () => {
    const image = button.querySelector("img").cloneNode()
    image.removeAttribute("id")
    const caption = button.closest("section").querySelector(".caption").cloneNode(true)
    zoom.setAttribute("aria-label", image.alt)
    zoom.querySelector("div").replaceChildren(image, caption)
    zoom.showModal()
  })
}
zoom.querySelector("button").addEventListener("click", () => zoom.close())
zoom.addEventListener("click", event => { if (event.target === zoom) zoom.close() }) // beside what it shows

// On a narrow screen contents start closed; a link opens what it leads into.
const contents = document.querySelector("nav details")
if (matchMedia("(max-width: 63.99rem)").matches) contents.open = false
const reveal = () => {
  const target = location.hash && document.getElementById(decodeURIComponent(location.hash.slice(1)))
  for (let each = target; each; each = each.parentElement) if (each.tagName === "DETAILS") each.open = true
  if (target) target.scrollIntoView()
}
addEventListener("hashchange", reveal)
reveal()

// Charts: the scorecards as a picture, and what questions have to play with. A slider has places; what is told is what
// stands at the place.
const tell = (control, words) => {
  const output = document.createElement("output")
  const update = () => {
    output.textContent = words[control.value]
    control.setAttribute("aria-valuetext", output.textContent)
  }
  control.nextElementSibling.replaceWith(output) // which had the place
  control.addEventListener("input", update)
  update()
}
const charts = document.querySelectorAll(".chart")
if (charts.length) await load("vega")
for (const chart of charts) {
  const spec = JSON.parse(await unpack(chart.id))
  const options = JSON.parse(chart.dataset.options)
  await vegaEmbed(chart, spec, options)
  for (const [name, words] of Object.entries(spec.usermeta?.words ?? {})) {
    tell(document.querySelector(`${options.bind} input[name="${name}"]`), words)
  }
}
