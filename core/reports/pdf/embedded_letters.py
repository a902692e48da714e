"""The letters of the fonts that typst brings along, which have no file to read.

Each is the letters that all weights of a font have, as ranges of hexadecimal code points. A test
sets every one of them.
"""

from __future__ import annotations

from functools import cache

EMBEDDED = {
    "Libertinus Serif": (
        "20-7e a0-17f 1dd 1e2-1e3 1fc-1fd 218-21b 226 228-229 22e 237 249 250 254 263 266 268 26f "
        "279 27b 281 295 29c 2b0-2e4 2ec-2ee 300-331 338 342-343 374-375 384-38a 38c 38e-3a1 "
        "3a3-3ce 3d0-3d1 3d5 3f0 401 403-40c 40f-44f 451 453 455-458 45c 45e 4d4-4d5 5b0-5c3 5c6 "
        "5d0-5ea 5f0-5f4 1d43-1d44 1d47-1d4a 1d4d 1d4f-1d50 1d52-1d53 1d56-1d58 1d5a-1d5b 1d9c "
        "1da0 1da4 1dbb 1e00-1e9b 1e9e 1ea0-1ef9 1f00-1f15 1f18-1f1d 1f20-1f45 1f48-1f4d "
        "1f50-1f57 1f59 1f5b 1f5d 1f5f-1f7d 1f80-1fb4 1fb6-1fc4 1fc6-1fd3 1fd6-1fdb 1fdd-1fef "
        "1ff2-1ff4 1ff6-1ffe 2000-2027 202f-2037 2039-203e 2042 2044 2047-204b 204f 2070-2071 "
        "2074-208e 2090-2094 20a2-20a4 20a7-20a8 20ab-20ac 20af 20b1 20bf 2100-2103 2105-2106 "
        "2109 210c-210f 2111 2113 2115-2116 2119 211c-211d 2120 2122 2124 2126-2127 212e "
        "2135-2137 2139 2153-2184 2190-219b 21a8 21ae 21bc-21bd 21c0-21c1 21cb-21d9 2202 "
        "2206-220d 220f-221c 221e-221f 2223-222b 2236 223c 2241 2245 2248-2249 2259 2260-2262 "
        "2264-2265 226a-226b 226e-2271 2282-2285 2295-2298 22c5 22ef 2302-2303 2310 2320-2321 "
        "2329-232a 23d3 25a0-25a1 25b2-25b3 25b6-25b7 25bc-25bd 25c0-25c1 25cb-25cc 25cf-25d7 "
        "2605 2619 261b 261e 2627 262f 2639-2653 2660 2663 2665-2666 2669-266c 2695 2698 "
        "26a2-26a4 2767 2c60-2c6c 2c74-2c77 a71b-a71d a720-a721 a789-a78c fb29-fb36 fb38-fb3c "
        "fb3e fb40-fb41 fb43-fb44 fb46-fb4e fffd 1d106-1d107"
    ),
    # Signs that the other lacks; its Arabic letters are of one width and no type for reading.
    "DejaVu Sans Mono": (
        "180-1c3 1cd-1dc 1de-1e1 1e6-1f0 1f4-1f6 1f8-1f9 1fe-217 21c-221 224-225 227 22a-22d "
        "22f-236 238-241 243-245 24c-24d 251-253 255-262 264-265 267 269-26e 270-278 27a 27c-280 "
        "282-294 296-29b 29d-2af 2e5-2e9 2f3 332-337 339-33f 358 361 376-377 37a-37f 3d2-3d4 "
        "3d6-3e1 3f1-400 402 40d-40e 450 452 454 459-45b 45d 45f 462-463 472-473 490-49b 4a2-4a5 "
        "4aa-4b3 4ba-4bb 4c0-4c4 4c7-4c8 4cb-4cc 4cf-4d3 4d6-4f9 510-511 51a-51d 531-556 559-55f "
        "561-587 589-58a e3f e81-e82 e84 e87-e88 e8a e8d e94-e97 e99-e9f ea1-ea3 ea5 ea7 eaa-eab "
        "ead-eb9 ebb-ebc ec8-ecd 10d0-10fc 1d02 1d08-1d09 1d14 1d16-1d17 1d1d-1d1f 1d2c-1d2e "
        "1d30-1d3c 1d3e-1d42 1d45-1d46 1d4b-1d4c 1d4e 1d51 1d54-1d55 1d59 1d62-1d65 1d77-1d78 "
        "1d7b 1d85 1d9b 1d9d-1d9f 1da1-1da3 1da5-1db7 1db9-1dba 1dbc-1dbf 1e9f 203f 2045-2046 "
        "205f 2095-209c 20a0-20a1 20a5-20a6 20a9-20aa 20ad-20ae 20b0 20b2-20b5 20b8-20ba 20bd "
        "2117 211a 212a-212b 2148 2150-2151 2189 219c-21a7 21a9-21ad 21af-21bb 21be-21bf "
        "21c2-21ca 21da-2201 2203-2205 220e 221d 2220 222c-222d 2234-2235 2237-223b 223d "
        "2242-2244 2246-2247 224a-2258 225a-225f 2263 2266-2269 226d 2272-2281 2286-228b "
        "228d-2294 2299-22a5 22b2-22b5 22b8 22c2-22c4 22c6 22cd-22d1 22da-22e9 2300-2301 "
        "2304-2306 2308-230f 2311-2315 2318-2319 231c-231f 2325-2328 232b 2335-237a 237d "
        "2380-2383 2388-238b 2395 239b-23ae 23ce-23cf 2423 2500-259f 25a2-25b1 25b4-25b5 "
        "25b8-25bb 25be-25bf 25c2-25ca 25cd-25ce 25d8-2604 2606-2618 261a 261c-261d 261f-2626 "
        "2628-262e 2638 2654-265f 2661-2662 2664 2667-2668 266d-268b 2690-2694 2696-2697 "
        "2699-269c 26a0-26a1 26b0-26b1 2701-2704 2706-2709 270c-2727 2729-274b 274d 274f-2752 "
        "2756 2758-275e 2761-2766 2768-2775 2794 2798-27af 27b1-27be 27c2 27c5-27c6 27dc 27e0 "
        "27e6-27eb 27f5-27f7 2987-2988 2997-2998 29eb 29fa-29fb 2a00 2a2f 2a6a-2a6b 2b05-2b0d "
        "2b12-2b1a 2c6d-2c70 2c79-2c7a 2c7c-2c7f 2e18 2e1f 2e22-2e25 2e2e a708-a716 a71e-a71f "
        "a722-a727 a78d-a78e a790-a791 a7aa a7f8-a7f9 fb01-fb02 feff fff9-fffc 1d55a"
    ),
}


@cache
def letters_of(family: str) -> frozenset[str]:
    """The letters of one of them."""
    ranges = (part.partition("-") for part in EMBEDDED[family].split())
    return frozenset(
        chr(code)
        for first, _, last in ranges
        for code in range(int(first, 16), int(last or first, 16) + 1)
    )
