"""What a list of references is called, in many languages, folded, as a whole line."""

from __future__ import annotations

HEADINGS = frozenset(
    line.strip().casefold()
    for line in """
references
reference list
list of references
references cited
bibliography
selected bibliography
annotated bibliography
works cited
works consulted
literature
literature cited
cited literature
sources
sources cited
references and notes
notes and references
further reading
literatur
literaturverzeichnis
quellen
quellenverzeichnis
quellen- und literaturverzeichnis
literatur- und quellenverzeichnis
literatur und quellen
quellen und literatur
bibliographie
bibliografie
referenzen
verwendete literatur
références
références bibliographiques
références citées
ouvrages cités
bibliographie sommaire
bibliografía
referencias
referencias bibliográficas
obras citadas
fuentes
fuentes consultadas
bibliografia
referências
referências bibliográficas
obras citadas
fontes
referències
referències bibliogràfiques
riferimenti
riferimenti bibliografici
opere citate
fonti
literatuur
literatuurlijst
geraadpleegde literatuur
referenties
bronnen
bronnenlijst
referenser
litteratur
litteraturförteckning
källor
källförteckning
litteraturliste
referencer
kilder
kildeliste
referanser
lähteet
lähdeluettelo
kirjallisuus
kirjallisuusluettelo
viitteet
heimildir
heimildaskrá
viited
kasutatud kirjandus
literatūra
literatūras saraksts
literatūros sąrašas
literatura
wykaz literatury
spis literatury
źródła
piśmiennictwo
przypisy
použitá literatura
seznam literatury
seznam použité literatury
zdroje
zoznam použitej literatúry
použitá literatúra
irodalom
irodalomjegyzék
felhasznált irodalom
hivatkozások
bibliográfia
források
referințe
referințe bibliografice
bibliografie selectivă
viri
viri in literatura
literatura i izvori
izvori
литература
список литературы
список использованной литературы
список использованных источников
список источников
список источников и литературы
источники
источники и литература
библиография
библиографический список
использованная литература
ссылки
література
список літератури
список використаних джерел
список використаної літератури
джерела
бібліографія
използвана литература
библиография
източници
литература и извори
коришћена литература
βιβλιογραφία
βιβλιογραφικές αναφορές
αναφορές
πηγές
kaynakça
kaynaklar
yararlanılan kaynaklar
ədəbiyyat
المراجع
المصادر
المراجع والمصادر
المصادر والمراجع
قائمة المراجع
قائمة المصادر والمراجع
منابع
مراجع
فهرست منابع
منابع و مآخذ
ביבליוגרפיה
מקורות
רשימת מקורות
רשימה ביבליוגרפית
संदर्भ
संदर्भ सूची
संदर्भ ग्रंथ सूची
ग्रंथ सूची
তথ্যসূত্র
daftar pustaka
referensi
rujukan
tài liệu tham khảo
บรรณานุกรม
เอกสารอ้างอิง
参考文献
參考文獻
引用文献
引用文獻
参考资料
參考資料
参考书目
參考書目
参考書目
文献
文獻
참고문헌
참고 문헌
""".splitlines()
    if line.strip()
)
