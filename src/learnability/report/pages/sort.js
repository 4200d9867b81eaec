// Tables sort by their headings, which become buttons: a click, Enter or Space. For pages too small for DataTables.
const key = cell => cell.dataset.order ?? cell.textContent.trim()
const compare = (a, b) => a.localeCompare(b, "en", { numeric: true })

for (const table of document.querySelectorAll("table.sortable")) {
  const headings = [...table.tHead.rows[0].cells]
  const rows = [...table.tBodies[0]?.rows ?? []]
  headings.forEach((heading, column) => {
    const isNumeric = heading.classList.contains("number")
    if (isNumeric) for (const row of rows) row.cells[column].classList.add("number")
    const button = document.createElement("button")
    button.type = "button"
    button.append(...heading.childNodes)
    heading.append(button)
    button.addEventListener("click", () => {
      const sign = heading.getAttribute("aria-sort") === "ascending" ? -1 : 1
      for (const each of headings) each.removeAttribute("aria-sort")
      heading.setAttribute("aria-sort", sign === 1 ? "ascending" : "descending")
      const by = row => key(row.cells[column])
      rows.sort((a, b) => !by(a) - !by(b) || sign * (isNumeric ? by(a) - by(b) : compare(by(a), by(b))))
      table.tBodies[0].append(...rows)
    })
  })
}

// Inside a frame, as in Snakemake's report, the files that links lead to are not there.
if (self !== top) for (const link of document.querySelectorAll('a[href]:not([href^="#"])')) link.removeAttribute("href")
