// Tables sort by their headings, which become buttons: a click, Enter or Space.
const number = text => ({ "inf": Infinity, "-inf": -Infinity })[text] ?? (/^[-+]?[\d.]/.test(text) ? parseFloat(text) : NaN)
const isMissing = text => text === "" || text === "nan"

for (const table of document.querySelectorAll("table.sortable")) {
  if (!table.tBodies.length) continue // no rows
  const rows = [...table.tBodies[0].rows]
  const headings = [...table.tHead.rows[0].cells]
  headings.forEach((heading, column) => {
    const text = row => row.cells[column].textContent.trim()
    const known = rows.map(text).filter(each => !isMissing(each))
    const isNumeric = known.length > 0 && known.every(each => !Number.isNaN(number(each)))
    if (isNumeric) for (const row of [...rows, table.tHead.rows[0]]) row.cells[column].classList.add("number")
    const compare = (a, b) => isNumeric ? number(a) - number(b) || 0 : a.localeCompare(b, "en", { numeric: true })

    const button = document.createElement("button")
    button.type = "button"
    button.append(...heading.childNodes)
    heading.append(button)
    button.addEventListener("click", () => {
      const sign = heading.getAttribute("aria-sort") === "ascending" ? -1 : 1
      for (const each of headings) each.removeAttribute("aria-sort")
      heading.setAttribute("aria-sort", sign === 1 ? "ascending" : "descending")
      rows.sort((a, b) => isMissing(text(a)) - isMissing(text(b)) || sign * compare(text(a), text(b)))
      table.tBodies[0].append(...rows)
    })
  })
}

// A picture that stands elsewhere in the page is held once.
for (const image of document.querySelectorAll("img[data-like]")) image.src = document.getElementById(image.dataset.like).src

// On a narrow screen contents start closed; a link opens what it leads into.
const contents = document.querySelector("nav details")
if (contents && matchMedia("(max-width: 63.99rem)").matches) contents.open = false
const reveal = () => {
  const target = location.hash && document.getElementById(decodeURIComponent(location.hash.slice(1)))
  for (let each = target; each; each = each.parentElement) if (each.tagName === "DETAILS") each.open = true
  if (target) target.scrollIntoView()
}
addEventListener("hashchange", reveal)
reveal()

// Inside a frame, as in Snakemake's report, the files that links lead to are not there.
if (self !== top) for (const link of document.querySelectorAll('a[href]:not([href^="#"])')) link.removeAttribute("href")
